/** Pure: the exact message of each line. */
import { inLine } from '../../lib/text/plain-text.ts';
import type { Message, ToolCall } from '../../schema/model/messages.ts';
import type { TurnStatus } from '../../schema/model/turn.ts';
import { tokensIn } from '../../schema/model/usage.ts';
import type { AnsweredTurn, LoggedRequest } from './sink.ts';

/** The longest value of an argument in a line; `--trace-mcp` has it in full. */
const LONGEST_VALUE = 100;

export function requestText({ request: { messages }, isFinal }: LoggedRequest): string {
  const bytes = messages.reduce((sum, message) => sum + bytesOf(message), 0);
  return `messages ${messages.length}, ${bytes} bytes${isFinal ? ' (final turn)' : ''}`;
}

/** The size of what the model reads: contents, and the calls that it made. */
const bytesOf = (message: Message): number =>
  Buffer.byteLength(message.content) +
  (message.role === 'assistant' && message.toolCalls ? jsonBytes(message.toolCalls) : 0);

const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

export function responseText({ usage, reply }: AnsweredTurn, latencyMs: number): string {
  const { content, toolCalls = [] } = reply;
  const bytes = Buffer.byteLength(content) + (toolCalls.length > 0 ? jsonBytes(toolCalls) : 0);
  return `input ${tokensIn(usage)}, output ${usage.output} tokens, ${latencyMs}ms, ${bytes} bytes`;
}

export function loggedCall({ name, args }: ToolCall): string {
  const fields = Object.entries(args).map(([field, value]) => `${field}:${valueText(value)}`);
  return `${inLine(name)}(${fields.join(', ')})`;
}

function valueText(value: unknown): string {
  const text = inLine(typeof value === 'string' ? value : JSON.stringify(value));
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

export const loggedResult = (result: string, latencyMs: number): string =>
  `${latencyMs}ms, ${result.length} chars`;

const ERRORS: { readonly [Kind in TurnStatus['kind']]: readonly [name: string, words: string] } = {
  success: ['Error', ''],
  rate_limited: ['RateLimitError', 'rate limit exceeded'],
  auth_failed: ['AuthError', 'the key was refused'],
  quota_exceeded: ['QuotaExceededError', 'the quota is used up'],
  context_overflow: ['ContextOverflowError', 'the prompt is too long'],
  model_error: ['ModelError', 'the model failed'],
  network_error: ['NetworkError', 'the connection failed'],
  timeout: ['TimeoutError', 'no answer in time'],
  invalid_response: ['InvalidResponseError', 'the answer could not be read'],
  truncated: ['TruncatedError', 'the answer was cut off'],
  refused: ['RefusedError', 'the model refused to answer'],
  aborted: ['AbortedError', 'the request was cancelled'],
};

export function loggedError(
  kind: TurnStatus['kind'] | 'error',
  detail: string,
  fatal: boolean,
): string {
  const [name, words] = kind === 'error' ? ['Error', 'the run ended'] : ERRORS[kind];
  return `${name}: ${detail === '' ? words : inLine(detail)}${fatal ? ' (fatal=true)' : ''}`;
}
