/** Estimates how many tokens a prompt takes, from what the provider counted before. Pure. */

import { traitsOf } from '../schema/driver.ts';
import { tokensIn } from '../schema/model/usage.ts';
import type { MessageRef, RunState } from '../schema/state.ts';
import type { PromptFloor } from '../schema/state-parts/run-facts.ts';

/** The least share that shortening must free: less would discard the provider's cache for nothing. */
export const MIN_FREED = 0.2;

/** @param frees the least share of `used`; freeing nothing is never enough */
export const isWorth = (freed: number, used: number, frees: number): boolean =>
  freed > 0 && freed >= used * frees;

/** Code and English have 3.5 to 4.5. A low figure compacts early; a high one overflows. */
const CHARS_PER_TOKEN = 3.2;
const MIN_CHARS_PER_TOKEN = 1;
const MAX_CHARS_PER_TOKEN = 5;
/** Tokens per message for role marks and separators of a chat template. */
const MESSAGE_OVERHEAD = 6;

/** The last request whose size the provider reported: its tokens, and the messages in it. */
export interface MeasuredPrompt {
  /** Including cached tokens; 0 when the provider does not report them. */
  readonly tokens: number;
  /** Characters of all its messages, the system prompt and the tools. */
  readonly chars: number;
}

/** A prompt and the window that it must fit into. */
export interface PromptInput {
  readonly conversation: readonly MessageRef[];
  /** Characters of system prompt and tool descriptions, which are in every request. */
  readonly fixedChars: number;
  /** In tokens. */
  readonly numCtx: number;
  readonly measured: MeasuredPrompt | null;
  /** The provider reported that the prompt does not fit. */
  readonly overflowed?: boolean;
  /** Characters of the goal; left out when the prompt has no goal that must stay. */
  readonly goalChars?: number;
}

/** The next prompt of a run or conversation, compared with the last one that was counted. */
export function promptOf({ conversation, usage, settings, lastTurn, goal }: RunState): PromptInput {
  const { last, lastChars } = usage;
  const { systemPrompt = '', tools } = settings ?? {};
  const toolChars = traitsOf(settings).callsTools ? (tools?.length ?? 0) : 0;
  const fixedChars = systemPrompt.length + toolChars;
  const tokens = last ? tokensIn(last) : 0;
  return {
    conversation,
    fixedChars,
    numCtx: settings?.numCtx ?? 0,
    measured: tokens > 0 ? { tokens, chars: fixedChars + lastChars } : null,
    overflowed: lastTurn?.status.kind === 'context_overflow',
    goalChars: goal.length,
  };
}

/** Characters per token by the provider's count, or a cautious estimate without one. */
export function charsPerToken(measured: MeasuredPrompt | null): number {
  if (!measured || measured.tokens <= 0 || measured.chars <= 0) return CHARS_PER_TOKEN;
  const found = measured.chars / measured.tokens;
  return Math.min(MAX_CHARS_PER_TOKEN, Math.max(MIN_CHARS_PER_TOKEN, found));
}

/** A cautious estimate of the tokens in this many characters, rounded up. */
export const estimateTokens = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN);

/** The tokens of a whole prompt and of its parts. */
export function sizesOf({ conversation, fixedChars, numCtx, measured, overflowed }: PromptInput) {
  const chars = fixedChars + sum(conversation.map((message) => message.length));
  // A prompt that overflowed has more tokens than the window, whatever was measured before.
  const observed = overflowed ? { tokens: numCtx, chars } : measured;
  const ratio = Math.min(charsPerToken(observed), charsPerToken(measured));
  const tokensOf = (messages: readonly MessageRef[]) =>
    Math.ceil(sum(messages.map((message) => message.length)) / ratio) +
    messages.length * MESSAGE_OVERHEAD;
  const fixed = Math.ceil(fixedChars / ratio);
  return { ratio, tokensOf, fixed, used: fixed + tokensOf(conversation) };
}

/** Tokens of the next request, as far as the last one shows. */
export const tokensUsed = (state: RunState): number => sizesOf(promptOf(state)).used;

/** No text has more characters per token than this over several messages. */
const CHARS_PER_TOKEN_CEILING = 7;

/** The least number of tokens of a prompt that continues one which was read completely. */
export function leastTokens(floor: PromptFloor | undefined, chars: number): number {
  return floor ? floor.tokens + Math.max(0, chars - floor.chars) / CHARS_PER_TOKEN_CEILING : 0;
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
