import { setImmediate as turnOfOthers } from 'node:timers/promises';

/** Time as a port: runs on a fake clock repeat bit for bit. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds that only go forward, for durations. */
  monotonic(): number;
  /** Rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Does it again and again until the returned function is called, and keeps no process alive for
   * it. Absent where time stands still.
   */
  every?(ms: number, action: () => void): () => void;
  /** Lets signals and timers that are due have their turn. Absent where time stands still. */
  breathe?(): Promise<void>;
}

/** A third of a second: a signal is heard at once, as far as a person can tell. */
const BREATH_MS = 300;

/**
 * For work that takes long in one go: to be called again and again in it, and awaited where it is
 * not `null`.
 */
export function breather(clock: Pick<Clock, 'now' | 'breathe'>): () => Promise<void> | null {
  let last = clock.now();
  return () => {
    if (!clock.breathe || Math.abs(clock.now() - last) < BREATH_MS) return null;
    return clock.breathe().then(() => {
      last = clock.now();
    });
  };
}

/** Every turn stops a wait that was to guard it: Node's own makes an error with a stack of each. */
function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Node loads `performance` when it is first looked at.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: sleepFor,
  every: (ms, action) => {
    const timer = setInterval(action, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
  breathe: () => turnOfOthers(),
};
