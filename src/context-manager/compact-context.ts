/** Decides whether a conversation must be shortened, and how. Pure. */
import { MESSAGES_KEPT } from '../schema/config.ts';
import type { MessageRef, RunState } from '../schema/state.ts';
import type { OverflowRecovery } from '../schema/state-parts/run-facts.ts';
import { cutBesideGoal, decideCuts, type MessageCut } from './cut-messages.ts';
import { isWorth, MIN_FREED, type PromptInput, promptOf, sizesOf } from './prompt-size.ts';

/** The share of the window in use above which shortening starts, and the share that it aims for. */
const SHORTEN_ABOVE = 0.7;
const COMPACT_TO = 0.4;
const HISTORY_KEEP = 5;
/** If fewer exchanges may stay, as many stay as bring the prompt down to this share of the window. */
const ENOUGH = 0.5;
/** From this share of the window on there is no room for an answer. */
const FULL = 0.9;

/** Messages that a summary replaces. */
export interface CompactedRange {
  readonly kind: 'compact';
  readonly fromSeq: number;
  readonly toSeq: number;
}

export type Shortening =
  | CompactedRange
  | { readonly kind: 'cut'; readonly cuts: readonly MessageCut[] };

/** Tries of each kind between two answers. */
export const MAX_TRIES = 2;

/**
 * The shortening that is due now; `null`: the prompt fits, or nothing more can be done.
 * @param isSummedUp true: the model summarises what is left out; false: the engine knows it and keeps goal and
 * plan
 */
export const shorteningOf = (state: RunState, isSummedUp: boolean): Shortening | null =>
  decideShortening(promptOf(state), state.overflowRecovery, isSummedUp);

/**
 * The last resort for a prompt that was refused as too long: cut the message with the goal, then also remove
 * what frees little.
 */
export const lastShorteningOf = (state: RunState, isSummedUp: boolean): Shortening | null =>
  decideLast(promptOf(state), state.overflowRecovery, isSummedUp);

type Tried = Pick<OverflowRecovery, 'compactions' | 'cuts'>;

/**
 * Decides by size alone, so the same conversation is always shortened at the same point. Old messages go first.
 * Long messages are cut only if the prompt, with room for an answer, does not fit. After that, all exchanges
 * but the newest go.
 * @param frees the least share of the prompt that must be freed
 */
export function decideShortening(
  input: PromptInput,
  { compactions, cuts: cutBefore }: Tried,
  isSummedUp: boolean,
  frees = MIN_FREED,
): Shortening | null {
  const { numCtx, overflowed = false } = input;
  const { used } = sizesOf(input);
  const isBelow = (share: number): boolean => used < numCtx * share && !overflowed;
  if (isBelow(SHORTEN_ABOVE)) return null;
  const leftOut = (most: number, least: number): CompactedRange | null =>
    compactions < MAX_TRIES ? decideRange(input, { most, least, isSummedUp, frees }) : null;
  const isLastTry = overflowed && compactions === MAX_TRIES - 1;
  const kept = isLastTry ? 1 : HISTORY_KEEP;
  const first = leftOut(kept, kept);
  if (first !== null && compactions <= cutBefore) return first;
  if (isBelow(FULL)) return null;
  const cuts = cutBefore < MAX_TRIES ? decideCuts(input, frees) : [];
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
  return besideGoal(MIN_FREED) ?? decideShortening(input, tried, isSummedUp, 0) ?? besideGoal(0);
}

interface Staying {
  /** How many exchanges should stay. */
  readonly most: number;
  /** How many exchanges stay at least, when nothing else makes the prompt fit. */
  readonly least: number;
  readonly isSummedUp: boolean;
  /** The least share of the prompt to free. A summary is requested however little it frees. */
  readonly frees: number;
}

/** Whole exchanges after goal and plan; `null`: none may go, or too few to help. */
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
  // A summary costs a request, so everything that may go is included.
  const cut = isSummedUp
    ? reach
    : (cuts.find((start) => after(start) <= numCtx * COMPACT_TO) ?? reach);
  const [first, last] = [conversation[head], conversation[(cut ?? 0) - 1]];
  if (cut === undefined || cut <= head + (isSummedUp ? 1 : 0) || !first || !last) return null;
  if (!isSummedUp && !isWorth(used - after(cut), used, frees)) return null;
  return { kind: 'compact', fromSeq: first.seq, toSeq: last.seq };
}

/** Everything before what a person said last; `null`: nothing, or a summary alone. */
export function decideBeforeLast(conversation: readonly MessageRef[]): CompactedRange | null {
  const from = conversation.findLastIndex(({ cause }) => cause === 'person');
  const [first, last] = [conversation[0], conversation[from - 1]];
  return from > 1 && first && last
    ? { kind: 'compact', fromSeq: first.seq, toSeq: last.seq }
    : null;
}

/** The index of the first message that stays. A result never stays without the reply that called for it. */
function lastMessages(conversation: readonly MessageRef[]): number {
  let from = Math.max(0, conversation.length - MESSAGES_KEPT);
  while (from > 0 && conversation[from]?.cause === 'tool_result') from -= 1;
  return from;
}

/** Tokens for the text that replaces what is left out. */
const summaryRoom = (numCtx: number): number => Math.floor(Math.min(numCtx * 0.08, 2000));

/** The longest replacement text, in characters. */
export const summaryChars = (input: PromptInput): number =>
  Math.floor(summaryRoom(input.numCtx) * sizesOf(input).ratio);

/** Everything after goal and plan, for when its subtask has ended. */
export function decideSweep({ conversation }: PromptInput): CompactedRange | null {
  const [first, last] = [conversation[headLength(conversation)], conversation.at(-1)];
  return first && last ? { kind: 'compact', fromSeq: first.seq, toSeq: last.seq } : null;
}

/** @param main the conversation that the next prompt continues, which may be outside the branch */
export function sizesOfSweep(
  input: PromptInput,
  main: readonly MessageRef[],
): { readonly used: number; readonly usedAfter: number } {
  const { tokensOf, fixed, used } = sizesOf(input);
  const head = tokensOf(main.slice(0, headLength(main)));
  return { used, usedAfter: fixed + head + summaryRoom(input.numCtx) };
}

/**
 * The latest points where the remaining part may begin, keeping `most` exchanges down to `least`. A question
 * without an answer always stays.
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

/** The number of messages at the start that are never left out: the goal, and the plan as answered. */
export function headLength(conversation: readonly MessageRef[]): number {
  const [first] = conversation;
  if (!first) return 0;
  if (first.cause !== 'plan_question') return 1;
  const answer = conversation.findIndex((message) => message.role === 'assistant');
  const started = conversation.findIndex((message) => message.cause === 'subtask_started');
  return answer === -1 || (started !== -1 && started < answer) ? 1 : answer + 1;
}

/** The indices where exchanges begin. An exchange is a question, its reply, and all results of its calls. */
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
