/** Whether a conversation still fits its window, and what makes it fit. Pure. */
import { lengthOf } from '../../context-manager/fold/text.ts';
import { type PromptInput, promptIn, sizesOf } from '../../context-manager/prompt-size.ts';
import { LONGEST_OLD_RESULT, MESSAGES_KEPT, SUMMARISE_AT } from '../../schema/config.ts';
import type { Conversation, MessageRef } from '../../schema/state.ts';

export type Shortening =
  /** The messages from the first on up to and with `toSeq` are told in a summary. */
  | { readonly kind: 'summarize'; readonly refs: readonly MessageRef[] }
  | { readonly kind: 'cut'; readonly seqs: readonly number[]; readonly maxChars: number };

/** After so many tries the next request is sent, or the message ends. */
const MOST_SUMMARIES = 1;
/** Each lets a result have half of what the one before let it have. */
const MOST_CUTS = 3;

/** `null`: it fits, or nothing more can be done about it. */
export function shorteningOf(state: Conversation): Shortening | null {
  const { settings, conversation } = state;
  const { shortened } = state.chat;
  if (settings === null) return null;
  const input = promptOf(state);
  const isOver = input.overflowed === true;
  if (!isOver && sizesOf(input).used < settings.numCtx * SUMMARISE_AT) return null;
  const old = conversation.slice(0, keptFrom(conversation));
  if (shortened.summaries < MOST_SUMMARIES && old.length > 1)
    return { kind: 'summarize', refs: old };
  if (shortened.cuts >= MOST_CUTS) return null;
  const maxChars = longestFor(settings.numCtx, shortened.cuts);
  const seqs = conversation.flatMap(({ cause, length, seq }) =>
    cause === 'tool_result' && length > maxChars + MARK ? [seq] : [],
  );
  return seqs.length === 0 ? null : { kind: 'cut', seqs, maxChars };
}

/** Room for the words that say how much is missing. */
const MARK = 40;
const LEAST = 400;

/** In a small window ten such results would be all of it. */
const longestFor = (numCtx: number, cuts: number): number =>
  Math.max(LEAST, Math.floor(Math.min(LONGEST_OLD_RESULT, numCtx * 0.16) / 2 ** cuts));

/** A result never stands without the reply that called for it. */
function keptFrom(conversation: readonly MessageRef[]): number {
  let from = Math.max(0, conversation.length - MESSAGES_KEPT);
  while (from > 0 && conversation[from]?.cause === 'tool_result') from -= 1;
  return from;
}

/** Tokens that the next request takes, as far as the last one tells. */
export const tokensUsed = (state: Conversation): number => sizesOf(promptOf(state)).used;

/** Of the system prompt and the tools, which are in every request. */
function promptOf(state: Conversation): PromptInput {
  const { systemPrompt = '', tools, calling } = state.settings ?? {};
  const toolChars = calling === 'wire' ? lengthOf(tools ?? '') : 0;
  return promptIn(state, lengthOf(systemPrompt) + toolChars);
}

/** The beginning of a result, and how much of it is gone. */
export function cutResult(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars).replace(/\p{Surrogate}$/u, '');
  return `${head}\n[truncated ${text.length - head.length} chars]`;
}
