import type { RunEvent } from '../../schema/events/events.ts';
import type { Inbox } from '../../schema/inbox.ts';
import type { ChangeMade } from '../screen/edits.ts';

export type Verbosity = 'quiet' | 'normal' | 'debug';

/** Shows a run on stderr while it works. */
export interface Renderer {
  observe(event: RunEvent): void;
  /** The same of what happened long before: it is known, and no line is said of it. */
  remember?(event: RunEvent): void;
  /** Takes the redrawn part off the screen and draws nothing until the returned function is called. */
  hold?(): () => void;
  /** Takes the redrawn part off the screen and stops every timer; lines after it are safe. */
  stop(): void;
  /** What a person types meanwhile; left out where nobody is listened to. */
  readonly inbox?: Inbox;
}

export interface RendererOptions {
  readonly verbosity: Verbosity;
  /** True where stdout carries lines too while the run works: nothing may be redrawn then. */
  readonly isMixed?: boolean;
  /** Of work that is watched from elsewhere; left out: it is this process's own and begins now. */
  readonly watched?: {
    /** Milliseconds on the monotonic clock, when it began. */
    readonly begunAt: number;
    /** What Ctrl+C does. */
    readonly wayOut: string;
    /** Ctrl+X. */
    pause(): void;
  };
  /** False: nobody is called at the end, or to a question. */
  readonly notifies?: boolean;
  /** Left out: what calls change in files is counted, and not shown. */
  readonly changeMade?: ChangeMade;
  /** Ctrl+C, where it comes as a key. */
  readonly interrupt?: () => void;
}
