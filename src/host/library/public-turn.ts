/** Pure: the public names of a turn's outcome; one table maps the engine's names to them. */

import type { ToolCall } from '../../schema/model/messages.ts';
import type { TurnResult, TurnStatus } from '../../schema/model/turn.ts';

interface Failed<Type extends string> {
  readonly type: Type;
  readonly message: string;
}

/** How one request to a model ended, in the terms of embedding programs. */
export type PublicTurnStatus =
  | { readonly type: 'success'; readonly hasToolCalls: boolean; readonly finalAnswer: boolean }
  | { readonly type: 'rate_limit'; readonly retryAfterMs?: number }
  | Failed<'auth_error'>
  | (Failed<'model_error'> & { readonly retryable: boolean })
  | (Failed<'network_error'> & { readonly retryable: boolean })
  | Failed<'timeout'>
  | Failed<'invalid_response'>
  | Failed<'quota_exceeded'>
  | Failed<'context_overflow'>
  | Failed<'truncated'>
  | Failed<'refused'>
  | Failed<'aborted'>;

type Name = PublicTurnStatus['type'];

const NAMES = {
  success: 'success',
  rate_limited: 'rate_limit',
  auth_failed: 'auth_error',
  quota_exceeded: 'quota_exceeded',
  context_overflow: 'context_overflow',
  model_error: 'model_error',
  network_error: 'network_error',
  timeout: 'timeout',
  invalid_response: 'invalid_response',
  truncated: 'truncated',
  refused: 'refused',
  aborted: 'aborted',
} as const satisfies { readonly [Kind in TurnStatus['kind']]: Name };

/** The result of one request: its status, the answer, tokens, milliseconds. */
export interface PublicTurnResult {
  readonly status: PublicTurnStatus;
  /** What the model said; left out if it said nothing. */
  readonly response?: string;
  readonly toolCalls?: readonly ToolCall[];
  /** `input` excludes tokens read from a cache or written to one. */
  readonly tokens?: {
    readonly input: number;
    readonly output: number;
    readonly thinking: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
  readonly latencyMs: number;
}

export function publicTurn(result: TurnResult, latencyMs: number): PublicTurnResult {
  const { message, usage } = result;
  const { input, output, thinking, cacheRead, cacheWrite } = usage;
  const { content, toolCalls } = message;
  return {
    status: publicStatus(result),
    ...(content === '' ? {} : { response: content }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    tokens: { input, output, thinking, cacheRead, cacheWrite },
    latencyMs,
  };
}

function publicStatus({ status, detail, message }: TurnResult): PublicTurnStatus {
  switch (status.kind) {
    case 'success': {
      const hasToolCalls = (message.toolCalls ?? []).length > 0;
      const finalAnswer = !hasToolCalls && message.content !== '';
      return { type: NAMES.success, hasToolCalls, finalAnswer };
    }
    case 'rate_limited': {
      const { retryAfterMs } = status;
      return { type: NAMES.rate_limited, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    }
    case 'model_error':
    case 'network_error':
      return { type: NAMES[status.kind], message: detail, retryable: status.retryable };
    default:
      return { type: NAMES[status.kind], message: detail };
  }
}
