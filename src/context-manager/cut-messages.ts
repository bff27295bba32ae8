/** Decides which messages are too long for a window, and shortens them. Pure. */
import type { MessageRef } from '../schema/state.ts';
import { isWorth, type PromptInput, sizesOf, sum } from './prompt-size.ts';

/** The longest result in characters, and the smaller shares of the window that are tried. */
const MAX_RESULT = 20_000;
const MIN_RESULT = 400;
const RESULT_SHARES = [0.1, 0.05, 0.025];
/** The share of the window in use after a cut. Every cut makes the model read almost everything again. */
const CUT_TO = 0.6;

/** A message that is too long, and the length it may have. */
export interface MessageCut {
  readonly seq: number;
  readonly maxChars: number;
  /** Characters that stay at each end. */
  readonly ends?: number;
}

const CUTTABLE: ReadonlySet<MessageRef['cause']> = new Set([
  'tool_result',
  'check_failed',
  'proof_failed',
  // Both contain whole files.
  'content_question',
  'repair_question',
]);

/**
 * The messages that are too long for this window and their new lengths; none if cutting would not free enough.
 * Chooses the mildest cut that also leaves room for the next exchanges.
 */
export function decideCuts(input: PromptInput, frees: number): readonly MessageCut[] {
  const { conversation, numCtx } = input;
  const { ratio, used } = sizesOf(input);
  const useful = RESULT_SHARES.flatMap((share) => {
    const maxChars = Math.max(MIN_RESULT, Math.min(MAX_RESULT, numCtx * ratio * share));
    const long = conversation.filter(
      (ref) => CUTTABLE.has(ref.cause) && ref.length > Math.floor(maxChars),
    );
    const freed = sum(long.map((ref) => ref.length - maxChars)) / ratio;
    const cuts = long.map(({ seq }) => ({ seq, maxChars: Math.floor(maxChars) }));
    return isWorth(freed, used, frees) ? [{ cuts, left: used - freed }] : [];
  });
  const chosen = useful.find(({ left }) => left <= numCtx * CUT_TO) ?? useful.at(-1);
  return chosen?.cuts ?? [];
}

/** Messages with the goal: a plan question also contains the format of plans and the beginnings of files. */
const TELLING_GOAL: ReadonlySet<MessageRef['cause']> = new Set(['plan_question', 'survey']);
/** Characters kept beside the goal, which is at one end: the instruction at the other. */
const MIN_END = 300;

/** Cuts the excess between goal and question; returns nothing if that is not enough. */
export function cutBesideGoal(input: PromptInput, frees: number): readonly MessageCut[] {
  const { conversation, numCtx, goalChars = 0 } = input;
  const [first] = conversation;
  if (!first || !TELLING_GOAL.has(first.cause)) return [];
  const { ratio, used } = sizesOf(input);
  const ends = goalChars + MIN_END;
  const needed = Math.ceil((used - numCtx * CUT_TO) * ratio);
  const maxChars = Math.max(2 * ends + MARK, first.length - needed);
  const freed = (first.length - maxChars) / ratio;
  return isWorth(freed, used, frees) ? [{ seq: first.seq, maxChars, ends }] : [];
}

/** Keeps the beginning and end of a text, with a mark that says how much is missing. */
export function cutText(text: string, maxChars: number, ends = 0): string {
  if (text.length <= maxChars) return text;
  const room = Math.max(0, maxChars - MARK);
  const head = Math.min(Math.max(Math.ceil(room * 0.6), ends), room - ends);
  const tail = text.length - (room - head);
  const before = splitsPair(text, head) ? head - 1 : head;
  const after = splitsPair(text, tail) ? tail + 1 : tail;
  return `${text.slice(0, before)}\n[truncated ${after - before} chars]\n${text.slice(after)}`;
}

/** Characters reserved for the mark. */
const MARK = 40;

function splitsPair(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff;
}
