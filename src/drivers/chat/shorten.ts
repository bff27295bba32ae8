/** What makes a long conversation fit its window: a summary by the model, then shorter results. Pure. */
import { SHORTEN_ABOVE, type ShorteningRule } from '../../context-manager/compact-context.ts';
import { LONGEST_OLD_RESULT, MESSAGES_KEPT } from '../../schema/config.ts';
import type { MessageRef } from '../../schema/state.ts';
import { SUMMARY_SYSTEM, summaryRequest } from './prompt.ts';
import { transcriptText } from './transcript.ts';

/** What a person and the model have said is known to nobody else, so the model tells it. */
export const SUMMED_UP: ShorteningRule = {
  most: { compactions: 1, cuts: 3 },
  cutAbove: SHORTEN_ABOVE,
  cuts: {
    causes: new Set(['tool_result']),
    lengths: (numCtx, _ratio, tried) => [longestFor(numCtx, tried) + MARK],
    frees: 0,
    cut: (text, maxChars) => cutResult(text, maxChars - MARK),
  },
  leftOut: ({ conversation }) => {
    const old = conversation.slice(0, keptFrom(conversation));
    const [first, last] = [old.at(0), old.at(-1)];
    return first && last && first !== last
      ? { kind: 'compact', fromSeq: first.seq, toSeq: last.seq }
      : null;
  },
  summary: (messages, room) => [
    { role: 'system', content: SUMMARY_SYSTEM },
    { role: 'user', content: summaryRequest(transcriptText(messages, room)) },
  ],
};

/** Room for the words that say how much is missing. */
const MARK = 40;
const LEAST = 400;

/** In a small window ten such results would be all of it; each cut lets a result have half of the one before. */
const longestFor = (numCtx: number, cuts: number): number =>
  Math.max(LEAST, Math.floor(Math.min(LONGEST_OLD_RESULT, numCtx * 0.16) / 2 ** cuts));

/** A result never stands without the reply that called for it. */
function keptFrom(conversation: readonly MessageRef[]): number {
  let from = Math.max(0, conversation.length - MESSAGES_KEPT);
  while (from > 0 && conversation[from]?.cause === 'tool_result') from -= 1;
  return from;
}

/** The beginning of a result, and how much of it is gone. */
export function cutResult(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = text.slice(0, maxChars).replace(/\p{Surrogate}$/u, '');
  return `${head}\n[truncated ${text.length - head.length} chars]`;
}
