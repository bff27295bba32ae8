/**
 * A lock that its owner must renew. Owns what this process has observed of other locks, not the locks.
 * 1. The observer's clock measures how long a lease was not renewed, because clocks of two machines differ.
 * 2. The owner gives up after two thirds of the time, so it is done before anyone else may start.
 */
import type { Clock } from '../../lib/clock.ts';

export interface Leases {
  /** The time within which this process renews its locks, in milliseconds. */
  readonly ms: number;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** True if a lock was seen unchanged for its owner's whole lease time. */
  isOver(path: string, bytes: Uint8Array, ms: number): boolean;
}

interface Seen {
  readonly text: string;
  readonly since: number;
}

/** Far more leases than a worker waits for at once. Beyond that, all are observed anew. */
const MAX_SEEN = 10_000;

export function watchLeases(ms: number, { monotonic }: Pick<Clock, 'monotonic'>): Leases {
  const seen = new Map<string, Seen>();
  return {
    ms,
    now: monotonic,
    isOver(path, bytes, leaseMs) {
      const text = Buffer.from(bytes).toString('utf8');
      const before = seen.get(path);
      if (before?.text === text) return monotonic() - before.since >= leaseMs;
      if (seen.size >= MAX_SEEN) seen.clear();
      seen.set(path, { text, since: monotonic() });
      return false;
    },
  };
}

/** Invariant 2. @param renewedAt by `leases.now` */
export const isLate = ({ ms, now }: Leases, renewedAt: number): boolean =>
  now() - renewedAt > (ms * 2) / 3;
