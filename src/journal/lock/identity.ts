/** Decides whether the owner of a lock still runs. Pure, given information about this machine's processes. */
import { isSameBoot, type ProcessIdentity } from '../../lib/process-identity.ts';

/** What the owner of a lock records about itself. */
export interface LockHolder
  extends Pick<ProcessIdentity, 'host' | 'boot' | 'pidNamespace' | 'pid' | 'thread'> {
  /** In the system's own unit; empty if it is not available. */
  readonly startTime: string;
  /** When the lock was taken, ms since 1970; for people. */
  readonly since: number;
  /** The token of its lease; left out until it has taken one. */
  readonly token?: number;
  /** Anyone who sees the lock unchanged for this many milliseconds may take it; left out: nobody may. */
  readonly leaseMs?: number;
  /** Grows with every renewal. */
  readonly beat?: number;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

/**
 * Whether an owner still runs. Processes of another host or pid namespace cannot be examined. The same host
 * after a restart has none of its old processes.
 */
export function livenessOf(owner: LockHolder, self: ProcessIdentity): Liveness {
  if (!isSameBoot(owner.boot, self.boot)) return owner.host === self.host ? 'dead' : 'unknown';
  if (owner.pidNamespace !== self.pidNamespace) return 'unknown';
  const startTime = self.startTimeOf(owner.pid);
  if (startTime === null) return 'dead';
  if (owner.thread !== undefined && self.startTimeOf(owner.thread) === null) return 'dead';
  if (startTime === '' || owner.startTime === '') return 'alive';
  return startTime === owner.startTime ? 'alive' : 'dead';
}
