/** Pure: whether the conversation must be shortened, and where. */
import type { MessageRef } from '../schema/state.ts';
import { LEAST_FREED, type PromptInput, sizesOf } from './prompt-size.ts';

/** Of the window in use before anything is left out, and what is aimed at then. */
const COMPACT_ABOVE = 0.7;
const COMPACT_TO = 0.4;
export const HISTORY_KEEP = 5;
/** Where fewer exchanges may stay, as many do as let the prompt come down to this. */
const ENOUGH = 0.5;

export interface CompactionInput extends PromptInput {
  /** Exchanges that stay. */
  readonly historyKeep?: number;
  /** Exchanges that stay when nothing else makes the prompt fit; left out: all of those. */
  readonly leastKept?: number;
}

type Sweep = Extract<CompactionDecision, { kind: 'compact' }>;

export type CompactionDecision =
  | { readonly kind: 'fits'; readonly used: number }
  /** Above the mark, but nothing that may go would help enough. */
  | { readonly kind: 'cannot'; readonly used: number; readonly why: string }
  | {
      readonly kind: 'compact';
      readonly fromSeq: number;
      readonly toSeq: number;
      /** Longest text that may stand for what is left out. */
      readonly summaryChars: number;
      readonly used: number;
      /** Estimated tokens used afterwards, with a summary of full length. */
      readonly usedAfter: number;
    };

/** Decides by size alone, so the same conversation always compacts at the same place. */
export function decideCompaction(input: CompactionInput): CompactionDecision {
  const { conversation, numCtx, overflowed = false } = input;
  const { historyKeep = HISTORY_KEEP, leastKept = historyKeep } = input;
  const { ratio, tokensOf, fixed, used } = sizesOf(input);
  if (used < numCtx * COMPACT_ABOVE && !overflowed) return { kind: 'fits', used };

  const head = headLength(conversation);
  const exchanges = exchangeStarts(conversation, head);
  const summaryTokens = summaryRoom(numCtx);
  const after = (cut: number) =>
    fixed +
    tokensOf(conversation.slice(0, head)) +
    summaryTokens +
    tokensOf(conversation.slice(cut));
  const latest = latestCuts(conversation, exchanges, leastKept, historyKeep);
  const reach = latest.find((cut) => after(cut) <= numCtx * ENOUGH) ?? latest.at(-1);
  const cuts = exchanges.filter((start) => start > head && reach !== undefined && start < reach);
  const cut = cuts.find((start) => after(start) <= numCtx * COMPACT_TO) ?? reach;
  const [first, last] = [conversation[head], conversation[(cut ?? 0) - 1]];
  if (cut === undefined || cut <= head || !first || !last)
    return { kind: 'cannot', used, why: 'only the newest exchanges are left' };
  const usedAfter = after(cut);
  if (used - usedAfter < used * LEAST_FREED)
    return { kind: 'cannot', used, why: 'leaving out old exchanges would free too little' };
  const summaryChars = Math.floor(summaryTokens * ratio);
  return { kind: 'compact', fromSeq: first.seq, toSeq: last.seq, summaryChars, used, usedAfter };
}

/** Tokens for the text that stands for what is left out. */
const summaryRoom = (numCtx: number): number => Math.floor(Math.min(numCtx * 0.08, 2000));

/** All that comes behind goal and plan, for when the subtask it was about has ended. */
export function decideSweep(input: PromptInput): Sweep | null {
  const { conversation, numCtx } = input;
  const [first, last] = [conversation[headLength(conversation)], conversation.at(-1)];
  if (!first || !last) return null;
  const summaryChars = Math.floor(summaryRoom(numCtx) * sizesOf(input).ratio);
  const sizes = sizesOfSweep(input, conversation);
  return { kind: 'compact', fromSeq: first.seq, toSeq: last.seq, summaryChars, ...sizes };
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
