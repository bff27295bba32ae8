/** What the state of a conversation has beside what every state has. Bounded by compaction. */

import type { MessageLimits } from '../journal/limits.ts';
import type { MessageEnding } from '../journal/record-parts.ts';
import type { Usage } from '../model/turn.ts';

/** The message of the person that is worked on. */
export interface OpenMessage {
  readonly seq: number;
  readonly offset: number;
  /** Turns that brought something so far. */
  readonly iterations: number;
  /** Calls of it that were carried out, or refused. */
  readonly calls: number;
  /** Turns of it none of whose calls did what it was to do. */
  readonly idle: number;
  /** Calls of it that the loop guard held back. */
  readonly blocked: number;
  /** All that turns had used before it. */
  readonly usedBefore: Usage;
  /** The command that the person runs, where it is one. */
  readonly command?: string;
}

/** A message that changed files, so that it can be undone. */
export interface ChangingMessage {
  readonly seq: number;
  /** Byte offset of its record in the journal. */
  readonly offset: number;
  readonly isUndone: boolean;
}

export interface LastMessage {
  /** Of the message. */
  readonly seq: number;
  readonly ending: MessageEnding;
  readonly detail: string;
  readonly hint?: string;
  /** Turns that it took. */
  readonly iterations: number;
  /** All that turns had used before it. */
  readonly usedBefore: Usage;
}

/** Written by the driver `chat` alone. */
export interface ChatState {
  readonly name: string | null;
  readonly number: number | null;
  /** The conversation that was put away for this one. */
  readonly before: string | null;
  /** The conversation that goes on in its place. */
  readonly next: string | null;
  /** As the programs that held it named them. */
  readonly limits: MessageLimits;
  readonly open: OpenMessage | null;
  /** How the last message ended; `null` while one is open, and before the first. */
  readonly last: LastMessage | null;
  /** Messages of the person so far. */
  readonly messages: number;
  /** Answers in a row that could not be read. */
  readonly invalid: number;
  /** The file that a call named, while its content is asked for in turns of their own. */
  readonly fileWanted: { readonly path: string; readonly isAsked: boolean } | null;
  /** The last fifty that changed files. */
  readonly changing: readonly ChangingMessage[];
  /** An undo that is not finished: the seq of the message it is about. */
  readonly undoing: number | null;
  /** Files that an undo has put back, those that it removed last, until the model hears of it. */
  readonly putBack: readonly { readonly path: string; readonly isRemoved: boolean }[];
}
