/** Whether the owner of a lock still runs. Pure, given a look at the processes of this machine. */
import { isSameBoot, type ProcessIdentity } from '../../lib/process-identity.ts';

/** What the owner of a lock writes down about itself. */
export interface LockOwner {
  readonly host: string;
  /** Changes when the machine starts again. */
  readonly boot: string;
  /** '' where the system has no pid namespaces. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** In the system's own unit; '' where it cannot be asked. */
  readonly startTime: string;
  /** When the lock was taken, ms since 1970; for people. */
  readonly since: number;
  /** Of its lease; left out as long as it has taken none. */
  readonly token?: number;
  /** Whoever sees the lock unchanged for so many milliseconds may take it; left out: nobody may. */
  readonly leaseMs?: number;
  /** Grows with each renewal. */
  readonly beat?: number;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

/**
 * Whether an owner still runs. Another host or pid namespace cannot be looked into; the same host
 * after a restart has none of its old processes.
 */
export function livenessOf(owner: LockOwner, self: ProcessIdentity): Liveness {
  if (!isSameBoot(owner.boot, self.boot)) return owner.host === self.host ? 'dead' : 'unknown';
  if (owner.pidNamespace !== self.pidNamespace) return 'unknown';
  const startTime = self.startTimeOf(owner.pid);
  if (startTime === null) return 'dead';
  if (startTime === '' || owner.startTime === '') return 'alive';
  return startTime === owner.startTime ? 'alive' : 'dead';
}
