/** What a session is made of, and what its calls take. */
import { TardigradeError } from '../lib/errors.ts';
import type { StateWatch } from '../run/watch-state.ts';
import type { SessionEmit } from '../schema/events/events.ts';
import type { UndoPlace } from '../undo/message.ts';
import type { LiveSession } from './options.ts';

export interface SendOptions {
  /** Aborted: the call under way is ended, what was done stays, and the message ends. */
  readonly signal?: AbortSignal;
  readonly onEvent?: SessionEmit;
}

/** What goes with a message beside its words. */
export interface AttachOptions {
  /** Images, as their files are: PNG, JPEG, GIF or WebP, 5 MB each. */
  readonly images?: readonly Uint8Array[];
}

export interface SessionParts {
  readonly live: LiveSession;
  readonly undo: UndoPlace;
  readonly watch: Pick<StateWatch, 'signal' | 'reasonFor'>;
  /** Whether something holds commands to the workspace. */
  readonly isConfined: boolean;
  /** Puts the observer of one message in the place of the session's own; returns the way back. */
  observe(emit: SessionEmit | null): void;
  close(): Promise<void>;
}

export const worksOnAMessage = (): TardigradeError => busy('The session works on a message.');

export const busy = (why: string): TardigradeError =>
  new TardigradeError('E_USAGE', why, 'Wait for it, or open another session.');
