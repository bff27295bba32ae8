import type { RunEvent } from '../../schema/events/events.ts';
import type { Inbox } from '../../schema/inbox.ts';
import type { ChangeMade } from '../screen/edits.ts';

export type Verbosity = 'quiet' | 'normal' | 'debug';

/** Shows a run on stderr while it works. */
export interface Renderer {
  observe(event: RunEvent): void;
  /** The same for an event from the past: it is noted, and no line is printed. */
  remember?(event: RunEvent): void;
  /** Hides what is redrawn until the returned function is called. */
  hold?(): () => void;
  /** Removes what is redrawn and stops every timer, so that other output can follow. */
  stop(): void;
  /** What a person types meanwhile; left out if nobody can type. */
  readonly inbox?: Inbox;
}

export interface RendererOptions {
  readonly verbosity: Verbosity;
  /** Whether stdout carries lines while the run works: nothing may be redrawn then. */
  readonly isMixed?: boolean;
  /** For work that is watched from elsewhere; left out: it belongs to this process and begins now. */
  readonly watched?: {
    /** When it began, in milliseconds on the monotonic clock. */
    readonly begunAt: number;
    /** What Ctrl+C does. */
    readonly wayOut: string;
    /** Ctrl+X. */
    pause(): void;
  };
  /** False: no notification at the end or for a question. */
  readonly notifies?: boolean;
  /** Left out: changes are counted and not shown. */
  readonly changeMade?: ChangeMade;
  /** Ctrl+C, if it arrives as a key. */
  readonly interrupt?: () => void;
}
