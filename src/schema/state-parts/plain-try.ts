/** The plain try before a plan: one question with the small files of the folder, answered by files or a sentence. */
import type { ToolCall } from '../model/messages.ts';
import type { ShownFile } from './shown-file.ts';

export type PlainTry =
  /**
   * The try is the next question, once the folder is known to fit into it; `failed`: how many answers failed
   * their proof.
   */
  | { readonly is: 'due'; readonly failed?: number }
  | {
      readonly is: 'answered';
      /** The offset of the turn. */
      readonly offset: number;
      /** One for each file in the answer; none for a sentence or an unusable answer. */
      readonly calls: readonly ToolCall[];
      /** The answer was a sentence. */
      readonly isText?: true;
      /** The files that its question showed. */
      readonly shows: readonly ShownFile[];
      /** How many earlier answers failed their proof; left out for the first. */
      readonly failed?: number;
      /** The offsets of the records of the answer's proof in the scratch copy; left out if there are none. */
      readonly trials?: readonly number[];
    }
  | {
      readonly is: 'over';
      /** How many answers came. */
      readonly asked: number;
      /** The last answer was a sentence. */
      readonly isText?: true;
    };

/** How many answers have come. */
export function answersTo(plainTry: PlainTry | undefined): number {
  if (plainTry?.is === 'over') return plainTry.asked;
  return (plainTry?.is === 'answered' ? 1 : 0) + (plainTry?.failed ?? 0);
}
