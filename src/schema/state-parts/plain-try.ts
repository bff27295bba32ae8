/** The plain try before a plan: one question with the small files of the folder, answered by files or a sentence. */
import type { ToolCall } from '../model/messages.ts';
import type { ShownFile } from './shown-file.ts';

export type PlainTry =
  /** It is the first question, once the folder is known to fit into it. */
  | { readonly is: 'due' }
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
    }
  | { readonly is: 'over'; readonly wasAsked: boolean };
