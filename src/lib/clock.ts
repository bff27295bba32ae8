import { setTimeout as sleepFor } from 'node:timers/promises';

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
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) => sleepFor(ms, undefined, signal ? { signal } : {}),
  every: (ms, action) => {
    const timer = setInterval(action, ms);
    timer.unref();
    return () => clearInterval(timer);
  },
};
