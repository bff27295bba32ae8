/** The plain try before a plan: one question with the small files of the folder, answered by files or a sentence. */
import type { ToolCall } from '../model/messages.ts';
import type { ShownFile } from './shown-file.ts';

export type PlainTry =
  /** It is the first question, once it was seen that the folder fits into it. */
  | { readonly is: 'due' }
  | {
      readonly is: 'answered';
      /** Where the turn stands. */
      readonly offset: number;
      /** One for each file that came; none where a sentence or nothing usable came. */
      readonly calls: readonly ToolCall[];
      /** A sentence came. */
      readonly isText?: true;
      /** The files that its question showed. */
      readonly shows: readonly ShownFile[];
    }
  | { readonly is: 'over'; readonly wasAsked: boolean };
