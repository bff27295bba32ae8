/** The part of the state that only conversations have. Compaction bounds its size. */

import type { MessageLimits } from '../journal/limits.ts';
import type { MessageEnding } from '../journal/record-parts.ts';
import type { Usage } from '../model/turn.ts';

/** The person's message that is worked on. */
export interface OpenMessage {
  readonly seq: number;
  readonly offset: number;
  /** Turns so far that achieved something. */
  readonly iterations: number;
  /** Calls of it that were carried out, or refused. */
  readonly calls: number;
  /** Turns for the message in which no call succeeded. */
  readonly idle: number;
  /** Calls for the message that the loop guard refused. */
  readonly blocked: number;
  /** The usage of all turns before it. */
  readonly usedBefore: Usage;
  /** The command that the person runs, if it is one. */
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
  /** The seq of the message. */
  readonly seq: number;
  readonly ending: MessageEnding;
  readonly detail: string;
  readonly hint?: string;
  /** Turns that it took. */
  readonly iterations: number;
  /** The usage of all turns before it. */
  readonly usedBefore: Usage;
}

/** The state that only the driver `chat` writes. */
export interface ChatState {
  readonly name: string | null;
  readonly number: number | null;
  /** The conversation that this one replaced. */
  readonly before: string | null;
  /** The conversation that replaced this one. */
  readonly next: string | null;
  /** The limits, as the programs that held the conversation set them. */
  readonly limits: MessageLimits;
  readonly open: OpenMessage | null;
  /** How the last message ended; `null` while one is open, and before the first. */
  readonly last: LastMessage | null;
  /** Messages of the person so far. */
  readonly messages: number;
  /** Consecutive unreadable answers. */
  readonly invalid: number;
  /** The file that a call named, while separate turns ask for its content. */
  readonly fileWanted: { readonly path: string; readonly isAsked: boolean } | null;
  /** The last fifty messages that changed files. */
  readonly changing: readonly ChangingMessage[];
  /** The seq of the message whose undo is unfinished. */
  readonly undoing: number | null;
  /** Files that an undo has restored, and then those that it removed, until the model is told. */
  readonly putBack: readonly { readonly path: string; readonly isRemoved: boolean }[];
}
