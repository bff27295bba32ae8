/** Looks every second whether a run's state is still its own, whatever the run waits for meanwhile. */

import type { FileWatch } from '../journal/removed/watch-file.ts';
import type { Clock } from '../lib/clock.ts';

/** A second runner beside this one is noticed within that time. */
export const LOOK_EVERY_MS = 1000;

/** A run or a conversation. */
export interface Watched {
  isOurs(): boolean;
  readonly context: {
    readonly journal: { readonly watch: Pick<FileWatch, 'reason'>; readonly isDurable: boolean };
    /** Its open intents: what is under way. */
    readonly state: { readonly intents: object };
    sync(before: 'effect'): void;
    /** What a person looks at is brought up to date, where there is such a thing. */
    showLate?(): void;
  };
}

export interface StateWatch {
  /** Aborted by the caller, and once the state is gone: what is under way ends then. */
  readonly signal: AbortSignal;
  /** The error to end with: that the state is gone says why all else failed. */
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
 * A command may run for long: what it began is on the disk, and can be seen, while it does, so that a start
 * after a crash finds it even where the journal is lost. A disk that refuses says so at the next barrier.
 */
function syncStarted(context: Watched['context']): void {
  const isUnderWay = Object.keys(context.state.intents).length > 0;
  if (context.journal.isDurable || !isUnderWay) return;
  try {
    context.sync('effect');
  } catch {}
}
