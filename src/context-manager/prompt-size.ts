/** How many tokens a prompt takes, by what the provider counted before; pure. */

import { traitsOf } from '../schema/driver.ts';
import type { MessageRef, RunState } from '../schema/state.ts';
import type { PromptFloor } from '../schema/state-parts/run-facts.ts';

/** What shortening a prompt must free at least: less costs a cold cache for nothing. */
export const LEAST_FREED = 0.2;

/** @param frees at least, of what is in use; nothing is never enough */
export const isWorth = (freed: number, used: number, frees: number): boolean =>
  freed > 0 && freed >= used * frees;

/** Code and English give 3.5 to 4.5; too low a figure compacts early, too high a one overflows. */
const CHARS_PER_TOKEN = 3.2;
const MIN_CHARS_PER_TOKEN = 1;
const MAX_CHARS_PER_TOKEN = 5;
/** Role marks and separators of a chat template, in tokens a message. */
const MESSAGE_OVERHEAD = 6;

/** The last request whose size the provider told: its tokens, and the messages it held. */
export interface MeasuredPrompt {
  /** Cached tokens included; 0 where the provider does not tell. */
  readonly tokens: number;
  /** Characters of all its messages and of the system prompt and tools. */
  readonly chars: number;
}

/** A prompt and the window it must fit into. */
export interface PromptInput {
  readonly conversation: readonly MessageRef[];
  /** System prompt and tool descriptions, in characters: they are in every request. */
  readonly fixedChars: number;
  /** Tokens. */
  readonly numCtx: number;
  readonly measured: MeasuredPrompt | null;
  /** The provider said the prompt does not fit. */
  readonly overflowed?: boolean;
  /** Characters of the goal: left out where the prompt has none that must stay. */
  readonly goalChars?: number;
}

/** The next prompt of a run or a conversation, against the last one that was counted. */
export function promptOf({ conversation, usage, settings, lastTurn, goal }: RunState): PromptInput {
  const { last, lastChars } = usage;
  const { systemPrompt = '', tools } = settings ?? {};
  const toolChars = traitsOf(settings).callsTools ? (tools?.length ?? 0) : 0;
  const fixedChars = systemPrompt.length + toolChars;
  const tokens = last ? last.input + last.cacheRead + last.cacheWrite : 0;
  return {
    conversation,
    fixedChars,
    numCtx: settings?.numCtx ?? 0,
    measured: tokens > 0 ? { tokens, chars: fixedChars + lastChars } : null,
    overflowed: lastTurn?.status.kind === 'context_overflow',
    goalChars: goal.length,
  };
}

/** Characters a token stands for, from what the provider counted; a cautious guess without that. */
export function charsPerToken(measured: MeasuredPrompt | null): number {
  if (!measured || measured.tokens <= 0 || measured.chars <= 0) return CHARS_PER_TOKEN;
  const found = measured.chars / measured.tokens;
  return Math.min(MAX_CHARS_PER_TOKEN, Math.max(MIN_CHARS_PER_TOKEN, found));
}

/** Tokens that so many characters take, rounded up. */
export function estimateTokens(chars: number, measured: MeasuredPrompt | null = null): number {
  return Math.ceil(chars / charsPerToken(measured));
}

/** Tokens a whole prompt takes, and each part of it. */
export function sizesOf({ conversation, fixedChars, numCtx, measured, overflowed }: PromptInput) {
  const chars = fixedChars + sum(conversation.map((message) => message.length));
  // A prompt that overflowed has more tokens than the window, whatever was measured before.
  const told = overflowed ? { tokens: numCtx, chars } : measured;
  const ratio = Math.min(charsPerToken(told), charsPerToken(measured));
  const tokensOf = (messages: readonly MessageRef[]) =>
    Math.ceil(sum(messages.map((message) => message.length)) / ratio) +
    messages.length * MESSAGE_OVERHEAD;
  const fixed = Math.ceil(fixedChars / ratio);
  return { ratio, tokensOf, fixed, used: fixed + tokensOf(conversation) };
}

/** Tokens that the next request takes, as far as the last one tells. */
export const tokensUsed = (state: RunState): number => sizesOf(promptOf(state)).used;

/** Nothing that is written has more characters a token than this over several messages. */
const MOST_CHARS_PER_TOKEN = 7;

/** Tokens that a prompt has at least when it goes on where one ended that was read whole. */
export function leastTokens(floor: PromptFloor | undefined, chars: number): number {
  return floor ? floor.tokens + Math.max(0, chars - floor.chars) / MOST_CHARS_PER_TOKEN : 0;
}

export const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
