/** Watches, answers and messages a run or a conversation of another process of this user. */
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
  readonly answers: boolean;
  /** Aborted: watching ends; the work continues. */
  readonly signal: AbortSignal;
  readonly observer: FollowObserver;
  /** The id of the last event received; left out: none. */
  readonly after?: string;
}

export interface FollowObserver {
  /** Called once at first, with the journal's events that are no longer sent. */
  past(records: Iterable<PastEvent>, about: FollowedWork): void;
  /**
   * Called for each connection, with the id after which events follow and the id of the last event until
   * then.
   */
  begins?(from: string, last: string): void;
  receive(id: string, event: StreamEvent): void;
  /** Records missed while the connection was broken. */
  missed(records: Iterable<PastEvent>): void;
  question(question: OpenQuestion): void;
  /** A question is no longer open. */
  settled(id: string): void;
}

export interface FollowedWork {
  readonly started: StreamEvent | null;
  /** Whether a person sits at the owner's own terminal. */
  readonly hasPerson: boolean;
}

export interface Following {
  send(request: OutgoingMessage): Promise<Done>;
  /** `ended`: the owner said goodbye; `gone`: it has disappeared; `left`: watching has ended. */
  readonly closed: Promise<'ended' | 'gone' | 'left'>;
}

export interface LivePort {
  /** The processes that work in a folder and listen, or failed to listen. */
  at(workspace: string): readonly LiveNote[];
  /** The same for all folders. */
  all(): readonly LiveNote[];
  /** Why nothing can listen here, as a whole sentence; '' if it can. */
  whyNot(): Promise<string>;
  /** Never rejects; resolves with the reason if there is no channel. */
  follow(request: FollowRequest): Promise<Following | NoChannel>;
}
