/**
 * A lock that its owner has to renew. Owns what this process has seen of locks elsewhere, not the locks.
 *
 * 1. How long a lease has not been renewed is told by the clock of who looks: clocks of two machines differ.
 * 2. The owner gives up after two thirds of the time, so it is through before anybody else may start.
 */
import type { Clock } from '../../lib/clock.ts';

export interface Leases {
  /** What the locks of this process are renewed within, in milliseconds. */
  readonly ms: number;
  /** Milliseconds that only go forward. */
  now(): number;
  /** Whether a lock was seen unchanged for all the time that its owner has. */
  isOver(path: string, bytes: Uint8Array, ms: number): boolean;
}

interface Seen {
  readonly text: string;
  readonly since: number;
}

/** Far more than a worker waits for at once; the oldest are looked at anew. */
const MOST_SEEN = 10_000;

export function watchLeases(ms: number, { monotonic }: Pick<Clock, 'monotonic'>): Leases {
  const seen = new Map<string, Seen>();
  return {
    ms,
    now: monotonic,
    isOver(path, bytes, leaseMs) {
      const text = Buffer.from(bytes).toString('utf8');
      const before = seen.get(path);
      if (before?.text === text) return monotonic() - before.since >= leaseMs;
      if (seen.size >= MOST_SEEN) seen.clear();
      seen.set(path, { text, since: monotonic() });
      return false;
    },
  };
}

/** Invariant 2. @param renewedAt by `leases.now` */
export const isLate = ({ ms, now }: Leases, renewedAt: number): boolean =>
  now() - renewedAt > (ms * 2) / 3;
