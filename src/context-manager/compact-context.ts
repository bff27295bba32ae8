/** Pure: whether a conversation must be shortened, and how. */
import { MESSAGES_KEPT } from '../schema/config.ts';
import type { MessageRef, RunState } from '../schema/state.ts';
import type { OverflowRecovery } from '../schema/state-parts/run-facts.ts';
import { type Cut, cutBesideGoal, decideCuts } from './cut-messages.ts';
import { isWorth, LEAST_FREED, type PromptInput, promptOf, sizesOf } from './prompt-size.ts';

/** Of the window in use before anything is shortened, and what is aimed at then. */
const SHORTEN_ABOVE = 0.7;
const COMPACT_TO = 0.4;
const HISTORY_KEEP = 5;
/** Where fewer exchanges may stay, as many do as let the prompt come down to this. */
const ENOUGH = 0.5;
/** From this share of the window on there is no room for an answer any more. */
const FULL = 0.9;

/** Messages that give way to a summary. */
export interface CompactedRange {
  readonly kind: 'compact';
  readonly fromSeq: number;
  readonly toSeq: number;
}

export type Shortening = CompactedRange | { readonly kind: 'cut'; readonly cuts: readonly Cut[] };

/** Tries of each kind until the next answer. */
export const MOST_TRIES = 2;

/**
 * What shortens it now; `null`: it fits, or nothing more can be done about it.
 * @param isSummedUp the model tells what is left out; else the engine knows it, and holds goal and plan
 */
export const shorteningOf = (state: RunState, isSummedUp: boolean): Shortening | null =>
  decideShortening(promptOf(state), state.overflowRecovery, isSummedUp);

/**
 * The same where nothing else helps any more, and the prompt was refused as too long: what the goal was told
 * with, and then also what frees little.
 */
export const lastShorteningOf = (state: RunState, isSummedUp: boolean): Shortening | null =>
  decideLast(promptOf(state), state.overflowRecovery, isSummedUp);

type Tried = Pick<OverflowRecovery, 'compactions' | 'cuts'>;

/**
 * Decides by size alone, so the same conversation is always shortened at the same place. Old messages go
 * first. Messages that are too long are cut only where the prompt does not fit, with an answer to it. Then
 * all exchanges but the newest go.
 * @param frees at least, of what is in use
 */
export function decideShortening(
  input: PromptInput,
  { compactions, cuts: cutBefore }: Tried,
  isSummedUp: boolean,
  frees = LEAST_FREED,
): Shortening | null {
  const { numCtx, overflowed = false } = input;
  const { used } = sizesOf(input);
  const isBelow = (share: number): boolean => used < numCtx * share && !overflowed;
  if (isBelow(SHORTEN_ABOVE)) return null;
  const leftOut = (most: number, least: number): CompactedRange | null =>
    compactions < MOST_TRIES ? decideRange(input, { most, least, isSummedUp, frees }) : null;
  const isLastTry = overflowed && compactions === MOST_TRIES - 1;
  const kept = isLastTry ? 1 : HISTORY_KEEP;
  const first = leftOut(kept, kept);
  if (first !== null && compactions <= cutBefore) return first;
  if (isBelow(FULL)) return null;
  const cuts = cutBefore < MOST_TRIES ? decideCuts(input, frees) : [];
  return cuts.length > 0 ? { kind: 'cut', cuts } : (first ?? leftOut(HISTORY_KEEP, 1));
}

export function decideLast(
  input: PromptInput,
  tried: Tried,
  isSummedUp: boolean,
): Shortening | null {
  if (!input.overflowed) return null;
  const besideGoal = (frees: number): Shortening | null => {
    const cuts = cutBesideGoal(input, frees);
    return cuts.length > 0 ? { kind: 'cut', cuts } : null;
  };
  return besideGoal(LEAST_FREED) ?? decideShortening(input, tried, isSummedUp, 0) ?? besideGoal(0);
}

interface Staying {
  /** Exchanges that stay. */
  readonly most: number;
  /** How many do when nothing else makes the prompt fit. */
  readonly least: number;
  readonly isSummedUp: boolean;
  /** At least, of what is in use; a summary is asked for whatever it frees. */
  readonly frees: number;
}

/** Whole exchanges behind goal and plan; `null`: none may go, or they are too few to help. */
export function decideRange(
  input: PromptInput,
  { most, least, isSummedUp, frees }: Staying,
): CompactedRange | null {
  const { conversation, numCtx } = input;
  const { tokensOf, fixed, used } = sizesOf(input);
  const head = isSummedUp ? 0 : headLength(conversation);
  const exchanges = exchangeStarts(conversation, head);
  const after = (cut: number) =>
    fixed +
    tokensOf(conversation.slice(0, head)) +
    summaryRoom(numCtx) +
    tokensOf(conversation.slice(cut));
  const latest =
    isSummedUp && least === HISTORY_KEEP
      ? [lastMessages(conversation)]
      : latestCuts(conversation, exchanges, least, most);
  const reach = latest.find((cut) => after(cut) <= numCtx * ENOUGH) ?? latest.at(-1);
  const cuts = exchanges.filter((start) => start > head && reach !== undefined && start < reach);
  // A summary costs a request: all that may go goes into it.
  const cut = isSummedUp
    ? reach
    : (cuts.find((start) => after(start) <= numCtx * COMPACT_TO) ?? reach);
  const [first, last] = [conversation[head], conversation[(cut ?? 0) - 1]];
  if (cut === undefined || cut <= head + (isSummedUp ? 1 : 0) || !first || !last) return null;
  if (!isSummedUp && !isWorth(used - after(cut), used, frees)) return null;
  return { kind: 'compact', fromSeq: first.seq, toSeq: last.seq };
}

/** Where the last messages begin that stay; a result never stands without the reply that called for it. */
function lastMessages(conversation: readonly MessageRef[]): number {
  let from = Math.max(0, conversation.length - MESSAGES_KEPT);
  while (from > 0 && conversation[from]?.cause === 'tool_result') from -= 1;
  return from;
}

/** Tokens for the text that stands for what is left out. */
const summaryRoom = (numCtx: number): number => Math.floor(Math.min(numCtx * 0.08, 2000));

/** Longest text that may stand for what is left out, in characters. */
export const summaryChars = (input: PromptInput): number =>
  Math.floor(summaryRoom(input.numCtx) * sizesOf(input).ratio);

/** All that comes behind goal and plan, for when the subtask it was about has ended. */
export function decideSweep({ conversation }: PromptInput): CompactedRange | null {
  const [first, last] = [conversation[headLength(conversation)], conversation.at(-1)];
  return first && last ? { kind: 'compact', fromSeq: first.seq, toSeq: last.seq } : null;
}

/** @param main what the next prompt goes on with: the conversation, or the one beside it. */
export function sizesOfSweep(
  input: PromptInput,
  main: readonly MessageRef[],
): { readonly used: number; readonly usedAfter: number } {
  const { tokensOf, fixed, used } = sizesOf(input);
  const head = tokensOf(main.slice(0, headLength(main)));
  return { used, usedAfter: fixed + head + summaryRoom(input.numCtx) };
}

/**
 * Where the part that stays may begin at the latest, with `most` exchanges kept down to `least`. A
 * question without an answer always stays.
 */
function latestCuts(
  conversation: readonly MessageRef[],
  exchanges: readonly number[],
  least: number,
  most: number,
): readonly number[] {
  const last = conversation.at(-1);
  const isAnswered = last !== undefined && (isResult(last) || last.role === 'assistant');
  const starts = isAnswered ? [...exchanges, conversation.length] : exchanges;
  const counts = Array.from({ length: most - least + 1 }, (_, index) => most - index);
  return counts.flatMap((keep) => {
    const start = starts[starts.length - keep - (isAnswered ? 1 : 0)];
    return start === undefined ? [] : [start];
  });
}

/** The goal with the plan as answered: messages at the start that are never left out. */
export function headLength(conversation: readonly MessageRef[]): number {
  const [first] = conversation;
  if (!first) return 0;
  if (first.cause !== 'plan_question') return 1;
  const answer = conversation.findIndex((message) => message.role === 'assistant');
  const started = conversation.findIndex((message) => message.cause === 'subtask_started');
  return answer === -1 || (started !== -1 && started < answer) ? 1 : answer + 1;
}

/** Places where a new exchange begins: what asks, the reply, and every result of its calls. */
function exchangeStarts(conversation: readonly MessageRef[], head: number): readonly number[] {
  const starts: number[] = [];
  let answered = true;
  for (const [index, message] of conversation.entries()) {
    if (index < head) continue;
    if (answered && !isResult(message)) {
      starts.push(index);
      answered = false;
    }
    if (message.role === 'assistant') answered = true;
  }
  return starts;
}

function isResult(message: MessageRef): boolean {
  return message.role === 'tool' || message.cause === 'tool_result';
}
