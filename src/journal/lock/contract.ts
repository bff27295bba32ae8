/** What both ways of locking share: the ports, the lock, and what a refused runner is told. */
import type { Clock } from '../../lib/clock.ts';
import { TardigradeError } from '../../lib/errors.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import type { LockOwner } from './identity.ts';
import type { Leases } from './lease.ts';

export interface LockPorts {
  readonly fs: FileSystem;
  /** The lock directory of the workspace; it exists. */
  readonly directory: string;
  readonly identity: ProcessIdentity;
  readonly clock: Pick<Clock, 'now'>;
  /** In a fleet: the lock is renewed, and one that was not may be taken. Left out: it is held until it is given up. */
  readonly leases?: Leases | undefined;
}

export interface Lock {
  readonly owner: LockOwner;
  /** False once its file was taken away or somebody took it over: then this runner must stop. */
  isHeld(): boolean;
  /** True once somebody took it over: from then on nothing may be done or written. */
  isTaken(): boolean;
  /** Says once more that its owner lives, where that is asked of it. Never throws. */
  renew(): void;
  /** True once that was not said for too long: somebody else may take it at any moment. */
  isLate(): boolean;
  /**
   * One more than the highest token that stands in the journal or in the lock; from now on it stands in the
   * lock. Throws E_FENCED where somebody took the lock over, E_IO.
   */
  takeToken(journalled: number): number;
  /** Gives the lock up; never throws, for a killed owner is noticed anyway. */
  release(): void;
}

/** What a runner is told that finds the lock taken. */
export function lockedBy(owner: LockOwner | null, certainty: 'alive' | 'unknown'): TardigradeError {
  if (owner === null) {
    return new TardigradeError(
      'E_LOCKED',
      'Another agent is just starting in this folder.',
      'Wait a moment, then run the same command again.',
    );
  }
  const who = `process ${owner.pid}, since ${sinceWords(owner.since)}`;
  return certainty === 'alive'
    ? new TardigradeError(
        'E_LOCKED',
        `Another agent works in this folder: ${who}.`,
        'Wait for it, or end that process; its lock is free at once.',
      )
    : new TardigradeError(
        'E_LOCKED',
        `This folder is locked from another machine or container (${owner.host}): ${who}.`,
        'When you are sure that it no longer runs, take its lock over.',
        { option: 'forceUnlock' },
      );
}

/** `2026-11-22 10:17`, by the clock of this machine. */
function sinceWords(since: number): string {
  const begun = new Date(since);
  if (Number.isNaN(begun.getTime())) return 'nobody knows when';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${begun.getFullYear()}-${two(begun.getMonth() + 1)}-${two(begun.getDate())}`;
  return `${day} ${two(begun.getHours())}:${two(begun.getMinutes())}`;
}

/** What a runner is told whose own lock was taken away. */
export const lockGone = (directory: string): TardigradeError =>
  new TardigradeError(
    'E_FENCED',
    `The lock of this run in ${directory} was taken away while it worked, so the run was stopped.`,
    'Make sure that only one agent works in this folder, then run the same command again.',
  );

/** What a runner is told that could not renew its lease in time. */
export const leaseOver = (directory: string): TardigradeError =>
  new TardigradeError(
    'E_FENCED',
    `The lease of this run in ${directory} could not be renewed in time, so the run was stopped.`,
    'Another worker continues it; or run the same command again.',
  );

/** The owner in a lock file, `null` for what is none (yet). */
export function parseOwner(bytes: Uint8Array | null): LockOwner | null {
  const owner = fieldsIn(bytes);
  return typeof owner.pid === 'number' && typeof owner.boot === 'string'
    ? (owner as unknown as LockOwner)
    : null;
}

/** Given up by its last owner. */
export const isReleased = (bytes: Uint8Array): boolean => fieldsIn(bytes).released === true;

/** The token in a lock file, be it given up or not; 0 where there is none. */
export function tokenIn(bytes: Uint8Array | null): number {
  const { token } = fieldsIn(bytes);
  return typeof token === 'number' && Number.isSafeInteger(token) ? token : 0;
}

function fieldsIn(bytes: Uint8Array | null): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes ?? []).toString('utf8'));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
