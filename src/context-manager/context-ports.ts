/** What the journal of a run or a conversation needs. */
import type { StateFolder } from '../journal/layout.ts';
import type { OpenedJournal } from '../journal/recover.ts';
import type { Clock } from '../lib/clock.ts';
import type { Redactor } from '../llm/secrets/redactor.ts';
import type { Emit } from '../schema/events/events.ts';
import type { Message } from '../schema/model/messages.ts';
import type { JournalRecord } from '../schema/records.ts';
import type { MessageRef, RunState } from '../schema/state.ts';
import type { BeforeImageCopies } from '../workspace/before-images/copies.ts';
import type { Origin } from './origin.ts';

/**
 * What follows a barrier: a request to a model or its server, an effect in the workspace or on a program, a
 * pause between two attempts, a question to a person, or the end of this start.
 */
export type Barrier = 'request' | 'effect' | 'pause' | 'question' | 'end';

export type OpenBeforeImageCopies = (
  opened: Pick<OpenedJournal<RunState, JournalRecord>, 'journal' | 'state'>,
  warn: (text: string) => void,
) => BeforeImageCopies | null;

/** The message at a live position. The record's long strings must have been read back. */
export type MessageOf = (record: JournalRecord, ref: Pick<MessageRef, 'seq' | 'role'>) => Message;

export interface ContextPorts extends StateFolder {
  readonly clock: Clock;
  readonly emit: Emit;
  /** Removes secrets in use from every record; left out: there are none. */
  readonly redactor?: Redactor;
  /** Left out: everything is trusted and nothing is signed. */
  readonly origin?: Origin;
  /** Keeps a second copy of earlier file contents outside the workspace; left out: none. */
  readonly beforeImageCopies?: OpenBeforeImageCopies | undefined;
  /** The message that a record contains; left out: as in a run. */
  readonly messageOf?: MessageOf;
  /** Left out: logs for people are written beside the journal. */
  readonly hasTrace?: false;
}
