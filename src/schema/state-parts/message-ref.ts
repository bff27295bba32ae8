import type { MessageCause } from '../model/message-cause.ts';
import type { ShownFile } from './shown-file.ts';

/** Where a live message is in the journal; its text is read from there. `seq` names it. */
export interface MessageRef {
  readonly seq: number;
  /** Byte offset in `history.jsonl` of the record that holds its words. */
  readonly offset: number;
  readonly role: 'user' | 'assistant' | 'tool';
  /** Why the engine said it; a reply of the model has none. */
  readonly cause: MessageCause | null;
  /** Characters, for the context estimate. */
  readonly length: number;
  /**
   * Set if the message only refers to message `as`, which has the same text. Once that one is gone, this one
   * is whole again.
   */
  readonly same?: { readonly as: number } & Pick<MessageRef, 'offset' | 'length'>;
  /** Files whose text the message contains; left out if there are none. */
  readonly shows?: readonly ShownFile[];
  /** For a border within a reply: how many files of that reply came before it. */
  readonly showsBefore?: number;
}
