import type { MessageCause } from '../model/message-cause.ts';
import type { ShownFile } from './shown-file.ts';

/** Where a live message stands in the journal; its text is read from there. `seq` names it. */
export interface MessageRef {
  readonly seq: number;
  /** Byte offset in `history.jsonl` of the record that holds its words. */
  readonly offset: number;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Why the engine said it; a reply of the model has none. */
  readonly cause: MessageCause | null;
  /** Characters, for the context estimate. */
  readonly length: number;
  /** It says that it is the same as that message; once this one is gone, it is whole again. */
  readonly same?: { readonly as: number } & Pick<MessageRef, 'offset' | 'length'>;
  /** Files that stand in it; left out where there are none. */
  readonly shows?: readonly ShownFile[];
  /** Of a border within a reply: how many of the files of that reply were there before it. */
  readonly showsBefore?: number;
}
