/** Pure: which messages are too long for a window, and what they say when they are cut. */
import type { MessageRef } from '../schema/state.ts';
import { LEAST_FREED, type PromptInput, sizesOf, sum } from './prompt-size.ts';

/** Longest result in characters, and the shares of the window that are tried below it. */
const MOST_RESULT = 20_000;
const LEAST_RESULT = 400;
const RESULT_SHARES = [0.1, 0.05, 0.025];
/** Of the window in use after a cut: each one makes the model read nearly everything again. */
const CUT_TO = 0.6;

/** A message that is too long, and what it may have. */
export interface Cut {
  readonly seq: number;
  readonly maxChars: number;
}

/** What a driver lets be cut, and how. */
export interface CutRule {
  readonly causes: ReadonlySet<MessageRef['cause']>;
  /**
   * Characters that a message may have, the mildest first.
   * @param ratio characters a token
   * @param tried cuts since the last answer
   */
  lengths(numCtx: number, ratio: number, tried: number): readonly number[];
  /** What a cut must free at least, of what is in use. */
  readonly frees: number;
  cut(text: string, maxChars: number): string;
}

/** What is said once stays readable at both ends. */
export const MIDDLE_OUT: CutRule = {
  causes: new Set([
    'tool_result',
    'check_failed',
    'proof_failed',
    // Both hold whole files.
    'content_question',
    'repair_question',
  ]),
  lengths: (numCtx, ratio) =>
    RESULT_SHARES.map((share) =>
      Math.max(LEAST_RESULT, Math.min(MOST_RESULT, numCtx * ratio * share)),
    ),
  frees: LEAST_FREED,
  cut: cutText,
};

/**
 * Messages that are too long for this window, with what they may have of it; none when cutting them
 * would not free enough either. The mildest cut after which the next exchanges have room, too.
 */
export function decideCuts(
  input: PromptInput,
  { causes, lengths, frees }: CutRule,
  tried: number,
): readonly Cut[] {
  const { conversation, numCtx } = input;
  const { ratio, used } = sizesOf(input);
  const useful = lengths(numCtx, ratio, tried).flatMap((maxChars) => {
    const long = conversation.filter(
      (ref) => causes.has(ref.cause) && ref.length > Math.floor(maxChars),
    );
    const freed = sum(long.map((ref) => ref.length - maxChars)) / ratio;
    const cuts = long.map(({ seq }) => ({ seq, maxChars: Math.floor(maxChars) }));
    return freed >= used * frees ? [{ cuts, left: used - freed }] : [];
  });
  const chosen = useful.find(({ left }) => left <= numCtx * CUT_TO) ?? useful.at(-1);
  return chosen?.cuts ?? [];
}

/** Beginning and end of a message stay, and it says how much is missing. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const marker = `\n[... ${text.length - maxChars} characters or more left out: too long for the model's window ...]\n`;
  const room = Math.max(0, maxChars - marker.length);
  const head = Math.ceil(room * 0.6);
  const tail = text.length - (room - head);
  const before = splitsPair(text, head) ? head - 1 : head;
  const after = splitsPair(text, tail) ? tail + 1 : tail;
  return `${text.slice(0, before)}${marker}${text.slice(after)}`;
}

function splitsPair(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code >= 0xdc00 && code <= 0xdfff;
}
