import * as z from 'zod';
import type { OptionAdvice } from '../../lib/errors.ts';
import type { Effort } from '../config.ts';
import type { Message, ToolCall } from './messages.ts';

export const TurnPurpose = z.enum([
  'brief',
  'plan',
  'replan',
  /** The plain try before a plan. */
  'try',
  'action',
  'content',
  /** Only in journals of earlier builds: a file written again, for comparison. */
  'second_writing',
  'summary',
]);
export type TurnPurpose = z.infer<typeof TurnPurpose>;

/** Every way in which a model request can end. Retry and failover look at nothing else. */
export const TurnStatus = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('success') }),
  z.object({ kind: z.literal('rate_limited'), retryAfterMs: z.number().optional() }),
  z.object({ kind: z.literal('auth_failed') }),
  z.object({ kind: z.literal('quota_exceeded') }),
  /** `windowTokens`: the actual window, if the server states it. */
  z.object({ kind: z.literal('context_overflow'), windowTokens: z.number().int().optional() }),
  z.object({
    kind: z.literal('model_error'),
    retryable: z.boolean(),
    retryAfterMs: z.number().optional(),
    /** The model does not fit into memory with the requested window. */
    lacks: z.literal('memory').optional(),
  }),
  z.object({
    kind: z.literal('network_error'),
    retryable: z.boolean(),
    retryAfterMs: z.number().optional(),
  }),
  z.object({ kind: z.literal('timeout') }),
  z.object({
    kind: z.literal('invalid_response'),
    /** The unusable answer was a call that could not be read, or an empty answer that may have been one. */
    ofCall: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal('truncated') }),
  z.object({ kind: z.literal('refused') }),
  z.object({ kind: z.literal('aborted') }),
]);
export type TurnStatus = z.infer<typeof TurnStatus>;

export const UNREADABLE_CALL: TurnStatus = { kind: 'invalid_response', ofCall: true };

/** True for a failure that comes fast and may pass by itself in a moment. */
export const isTransient = (status: TurnStatus): boolean =>
  status.kind === 'network_error' || status.kind === 'model_error'
    ? status.retryable
    : status.kind === 'rate_limited';

/** Tokens and time. Each kind is counted apart; cache tokens are never part of `input`. */
export const Usage = z.object({
  input: z.number(),
  output: z.number(),
  thinking: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  /** Milliseconds the model worked, as the provider reports it or as we measured it. */
  modelMs: z.number(),
});
export type Usage = z.infer<typeof Usage>;

export const NO_USAGE: Usage = {
  input: 0,
  output: 0,
  thinking: 0,
  cacheRead: 0,
  cacheWrite: 0,
  modelMs: 0,
};

/** A JSON Schema object in the common subset of every backend (see `llm/wire/wire-schema.ts`). */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** A tool as it is described to a model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

/** One neutral model request. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  /** Constrains the answer to this schema. Never together with `tools`. */
  readonly responseSchema?: JsonSchema;
  /** `null`: the model's own. */
  readonly temperature: number | null;
  readonly seed: number;
  /** Left out: the model's own. */
  readonly effort?: Effort;
  /** Tokens of prompt and answer together; one value per run. */
  readonly contextWindow: number;
  /** Tokens of the longest answer. */
  readonly maxOutputTokens: number;
}

/** Why an answer ended, in our terms; the provider's own reason is kept beside it. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'refusal' | 'other';

/** A piece of an answer as a provider streams it; `finished` is the last one. */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool_call_started'; readonly index: number; readonly name: string }
  | { readonly type: 'tool_call_arguments'; readonly index: number; readonly text: string }
  | { readonly type: 'tool_call'; readonly call: ToolCall }
  | { readonly type: 'opaque'; readonly blocks: unknown }
  /** How much of the prompt the model has read, if the provider reports it: rising whole percents. */
  | { readonly type: 'prompt_read'; readonly percent: number }
  /** The usage so far, if the provider reports it before the end; each replaces the previous one. */
  | { readonly type: 'usage'; readonly usage: Usage }
  | {
      readonly type: 'finished';
      readonly reason: FinishReason;
      readonly rawReason: string;
      readonly usage: Usage;
      /** The connection broke before any token was counted. */
      readonly isUncounted?: true;
    };

/** One finished turn. */
export interface TurnResult extends OptionAdvice {
  readonly status: TurnStatus;
  /** What went wrong, as one sentence; '' for a success. */
  readonly detail: string;
  /** The next step for the user, or ''. */
  readonly hint: string;
  readonly message: Extract<Message, { role: 'assistant' }>;
  readonly rawReason: string;
  readonly usage: Usage;
  /** True if the model worked, and its answer or the connection broke off before any token was counted. */
  readonly isUncounted?: true;
}

/** What went wrong and the next step, in one line for a person. */
export const withHint = ({
  detail,
  hint,
}: {
  readonly detail: string;
  readonly hint?: string | undefined;
}): string => [detail, hint].filter(Boolean).join(' ');
