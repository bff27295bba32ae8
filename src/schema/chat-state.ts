/** The state of a conversation: fold(records). Plain data, bounded by compaction, JSON all through. */

import type { OptionAdvice } from '../lib/errors.ts';
import type { ChatRecordOf, MessageEnding } from './chat-records.ts';
import type { ToolCall } from './messages.ts';
import type { Permissions } from './permissions.ts';
import type { CommandChanges, Cost, KnownFile, LoopWindow } from './run-facts.ts';
import type { RunningServers } from './servers.ts';
import type { MessageRef, OpenIntent } from './state.ts';
import type { TurnStatus, Usage } from './turn.ts';

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
}

/** Calls of the last reply that are still to be carried out, from `next` on. */
export interface ChatCalls {
  readonly turn: number;
  readonly calls: readonly ToolCall[];
  readonly next: number;
  /** True once one of them did what it was to do. */
  readonly isFruitful: boolean;
  /** True where they were read out of text: no call of theirs is on the wire, nor may a result be. */
  readonly areRecovered: boolean;
}

export interface ChatTurn extends OptionAdvice {
  readonly seq: number;
  readonly purpose: 'action' | 'summary';
  readonly status: TurnStatus;
  readonly detail: string;
  readonly hint?: string;
  readonly decoded: 'calls' | 'file' | 'text' | 'invalid';
  /** Why the reply could not be used, where `decoded` is `invalid`. */
  readonly error: string;
  readonly isEmpty: boolean;
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

export interface ChatState {
  readonly session: string;
  readonly format: number;
  readonly name: string | null;
  readonly number: number | null;
  readonly startedAt: number;
  readonly version: string;
  readonly mac?: string | undefined;
  readonly before: string | null;
  readonly seq: number;
  readonly settings: Omit<ChatRecordOf<'session_settings'>, 'type'> | null;
  /** `cause` is `person`, `tool_result` or `summary`; a reply, and what was told, has none. */
  readonly conversation: readonly MessageRef[];
  readonly open: OpenMessage | null;
  /** How the last message ended; `null` while one is open, and before the first. */
  readonly last: LastMessage | null;
  readonly pending: ChatCalls | null;
  /** The file that a call named, while its content is asked for in turns of their own. */
  readonly fileWanted: { readonly path: string; readonly isAsked: boolean } | null;
  readonly lastTurn: ChatTurn | null;
  readonly counters: {
    readonly messages: number;
    readonly turns: number;
    /** Attempts of the turn under way. */
    readonly attempts: number;
    readonly passing: number;
    readonly givenUp: number;
    readonly actions: number;
    /** Answers in a row that could not be read. */
    readonly invalid: number;
  };
  /** What was tried since the last answer to make the conversation fit. */
  readonly shortened: { readonly summaries: number; readonly cuts: number };
  readonly intents: { readonly [id: string]: OpenIntent };
  readonly files: { readonly [path: string]: KnownFile };
  readonly kept: string | null;
  readonly commandChanges: CommandChanges;
  readonly outputs?: readonly { readonly id: string; readonly blob: string }[];
  /** Bytes of results that were kept whole. */
  readonly keptBytes?: number;
  /** Of the message that is worked on, or was last. */
  readonly loop: LoopWindow;
  readonly permissions?: Permissions;
  readonly servers?: RunningServers;
  /** The last fifty that changed files. */
  readonly changing: readonly ChangingMessage[];
  /** An undo that is not finished: the seq of the message it is about. */
  readonly undoing: number | null;
  readonly usage: {
    readonly total: Usage;
    readonly last: Usage | null;
    /** Characters of the messages that the last turn was asked with. */
    readonly lastChars: number;
    readonly cost?: Cost;
  };
  /** The session that goes on in its place. */
  readonly next: string | null;
}
