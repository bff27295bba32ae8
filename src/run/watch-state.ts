/** Checks every second that a run's state still belongs to it, whatever the run waits for. */

import type { FileWatch } from '../journal/removed/watch-file.ts';
import type { Clock } from '../lib/clock.ts';
import { orNull } from '../lib/or-null.ts';

/** Milliseconds within which a second runner is noticed. */
export const LOOK_EVERY_MS = 1000;

/** A run or a conversation. */
export interface Watched {
  isOurs(): boolean;
  readonly context: {
    readonly journal: { readonly watch: Pick<FileWatch, 'reason'>; readonly isDurable: boolean };
    /** The open intents of the run: the actions under way. */
    readonly state: { readonly intents: object };
    sync(before: 'effect'): void;
    /** Updates what a person watches, if there is such a display. */
    showLate?(): void;
  };
}

export interface StateWatch {
  /** Aborted by the caller, or when the state is gone; current work then stops. */
  readonly signal: AbortSignal;
  /** The error to report. If the state is gone, that explains all other failures. */
  reasonFor(error: unknown): unknown;
  stop(): void;
}

export function watchState(
  { isOurs, context }: Watched,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): StateWatch {
  const gone = new AbortController();
  const stop = clock.every?.(LOOK_EVERY_MS, () => {
    if (gone.signal.aborted) return;
    if (isOurs()) {
      syncStarted(context);
      context.showLate?.();
    } else gone.abort(new Error('the state of the run is gone'));
  });
  return {
    signal: AbortSignal.any([signal, gone.signal]),
    reasonFor: (error) => context.journal.watch.reason() ?? error,
    stop: () => stop?.(),
  };
}

/**
 * A command may run for a long time. Its start is synced while it runs, so that a restart after a crash finds
 * it even if the rest of the journal is lost. A disk error is reported at the next barrier.
 */
function syncStarted(context: Watched['context']): void {
  const isUnderWay = Object.keys(context.state.intents).length > 0;
  if (context.journal.isDurable || !isUnderWay) return;
  orNull(() => context.sync('effect'));
}
