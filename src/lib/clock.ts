import { setImmediate as turnOfOthers } from 'node:timers/promises';

/** Time as a port: with a fake clock, runs repeat bit for bit. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that never go back, for durations. */
  monotonic(): number;
  /** Rejects with the signal's reason if it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Repeats an action until the returned function is called, without keeping the process alive. Absent if time
   * stands still.
   */
  every?(ms: number, action: () => void): () => void;
  /** Lets pending signals and timers run. Absent if time stands still. */
  breathe?(): Promise<void>;
}

/** A third of a second: to a person, a signal takes effect at once. */
const BREATH_MS = 300;

/** For long synchronous work: call the returned function repeatedly, and await its result if it is not `null`. */
export function breather(clock: Pick<Clock, 'now' | 'breathe'>): () => Promise<void> | null {
  let last = clock.now();
  return () => {
    if (!clock.breathe || Math.abs(clock.now() - last) < BREATH_MS) return null;
    return clock.breathe().then(() => {
      last = clock.now();
    });
  };
}

/** Node's timers fire at once when they are set to more than this. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Every turn cancels a wait that guarded it. Node's own implementation would create an error with a stack each
 * time.
 */
function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    let left = ms;
    const wait = (): NodeJS.Timeout => {
      const part = Math.min(left, LONGEST_TIMER_MS);
      left -= part;
      return setTimeout(next, part);
    };
    const next = (): void => {
      if (left > 0) {
        timer = wait();
        return;
      }
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    let timer = wait();
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export const systemClock = {
  now: () => Date.now(),
  // Node loads `performance` on first use.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: sleepFor,
  every: (ms, action) => {
    const timer = setInterval(action, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  breathe: () => turnOfOthers(),
} satisfies Clock;
