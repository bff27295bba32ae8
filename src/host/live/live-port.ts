/** Watching, answering and speaking to a run or a conversation of another process of this user. */
import type { LiveNote } from '../../live/address.ts';
import type { Done, OpenQuestion } from '../../live/protocol.ts';
import type { NoChannel, OutgoingMessage } from '../../live/watcher.ts';
import type { RunEvent } from '../../schema/events/events.ts';
import type { StreamEvent } from '../../schema/events/stream.ts';

export type { Done, LiveNote, NoChannel, OpenQuestion };

export type PastEvent = Extract<RunEvent, { readonly type: 'record' }>;

export interface FollowRequest {
  readonly note: LiveNote;
  /** True for a conversation. */
  readonly isChat: boolean;
  /** Whether a person is there who answers questions. */
  readonly answers: boolean;
  /** Aborted: it is watched no more; the work goes on. */
  readonly signal: AbortSignal;
  readonly observer: FollowObserver;
  /** The id of the event that was heard last; left out: none was. */
  readonly after?: string;
}

export interface FollowObserver {
  /** Once, at first: what the journal holds that is not told any more. */
  past(records: Iterable<PastEvent>, about: FollowedWork): void;
  /** Each time that a connection is made: the id that what is told comes behind. */
  begins?(from: string): void;
  receive(id: string, event: StreamEvent): void;
  /** Records that were missed while the connection was broken. */
  missed(records: Iterable<PastEvent>): void;
  question(question: OpenQuestion): void;
  /** A question is not open any more. */
  settled(id: string): void;
}

/** What is followed, as its owner says it. */
export interface FollowedWork {
  readonly started: StreamEvent | null;
  /** True where a person sits at the owner's own terminal. */
  readonly hasPerson: boolean;
}

export interface Following {
  send(request: OutgoingMessage): Promise<Done>;
  /** `ended`: the owner has said goodbye; `gone`: it is not there any more; `left`: it is watched no more. */
  readonly closed: Promise<'ended' | 'gone' | 'left'>;
}

export interface LivePort {
  /** Of the processes that work in a folder and listen, or could not. */
  at(workspace: string): readonly LiveNote[];
  /** Of all folders. */
  all(): readonly LiveNote[];
  /** Why nothing can listen here, as a whole sentence; '' where it can. */
  whyNot(): Promise<string>;
  /** Never rejects; why there is no channel where there is none. */
  follow(request: FollowRequest): Promise<Following | NoChannel>;
}
