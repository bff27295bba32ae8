/** The parts of a session, and the options of its calls. */
import { misuse, type TardigradeError } from '../lib/errors.ts';
import type { StateWatch } from '../run/watch-state.ts';
import type { SessionEmit } from '../schema/events/events.ts';
import type { UndoPlace } from '../undo/message.ts';
import type { LiveSession } from './options.ts';

export interface SendOptions {
  /** Aborting the signal ends the current call and the message; what was done stays. */
  readonly signal?: AbortSignal;
  readonly onEvent?: SessionEmit;
}

/** What goes with a message besides its text. */
export interface AttachOptions {
  /** Images as files: PNG, JPEG, GIF or WebP, 5 MB each. */
  readonly images?: readonly Uint8Array[];
}

export interface SessionParts {
  readonly live: LiveSession;
  readonly undo: UndoPlace;
  readonly watch: Pick<StateWatch, 'signal' | 'reasonFor'>;
  /** Whether commands are confined to the workspace. */
  readonly isConfined: boolean;
  /** Replaces the session's observer by that of one message; returns a function that restores it. */
  observe(emit: SessionEmit | null): void;
  close(): Promise<void>;
}

export const worksOnAMessage = (): TardigradeError =>
  sessionBusy('The session works on a message.');

export const sessionClosed = (): TardigradeError =>
  misuse('The session is closed.', 'Open it again.');

export const sessionBusy = (why: string): TardigradeError =>
  misuse(why, 'Wait for it, or open another session.');
