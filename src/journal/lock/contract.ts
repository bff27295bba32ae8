/** What both kinds of lock share: the ports, the lock, and the errors for refused runners. */
import type { Clock } from '../../lib/clock.ts';
import { TardigradeError } from '../../lib/errors.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import type { ProcessIdentity } from '../../lib/process-identity.ts';
import type { LockHolder } from './identity.ts';
import type { Leases } from './lease.ts';

export interface LockPorts {
  readonly fs: FileSystem;
  /** The lock folder of the workspace; it exists. */
  readonly directory: string;
  readonly identity: ProcessIdentity;
  readonly clock: Pick<Clock, 'now'>;
  /**
   * For a fleet: the lock must be renewed, and anyone may take one that was not. Left out: it is held until it
   * is released.
   */
  readonly leases?: Leases | undefined;
}

export interface Lock {
  /** False once its file was removed or someone took it over; this runner must then stop. */
  isHeld(): boolean;
  /** True once someone took it over; from then on nothing may be done or written. */
  isTaken(): boolean;
  /** Renews the lease, if there is one. Never throws. */
  renew(): void;
  /** True once the lease was not renewed for too long: someone else may take it at any moment. */
  isLate(): boolean;
  /**
   * Returns one more than the highest token in the journal or the lock, and writes it to the lock. Throws
   * E_FENCED if someone took the lock over, E_IO.
   */
  takeToken(journalled: number): number;
  /** Releases the lock. Never throws, because a killed owner is detected anyway. */
  release(): void;
}

/** The error for a runner that finds the lock taken. @param own the identity of that runner */
export function lockedBy(
  owner: LockHolder | null,
  certainty: 'alive' | 'unknown',
  own: Omit<ProcessIdentity, 'startTimeOf'>,
): TardigradeError {
  if (owner === null) {
    return new TardigradeError(
      'E_LOCKED',
      'Another agent is just starting in this folder.',
      'Wait a moment, then run the same command again.',
    );
  }
  const who = `process ${owner.pid}, since ${sinceWords(owner.since)}`;
  const marks = ['pid', 'host', 'boot', 'pidNamespace'] as const;
  if (certainty === 'alive' && marks.every((mark) => owner[mark] === own[mark]))
    return new TardigradeError(
      'E_LOCKED',
      `This program works in this folder already: ${who}.`,
      'Wait for that work, or abort it; its lock is free once it has ended.',
    );
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

/** `2026-11-22 10:17` in this machine's local time. */
function sinceWords(since: number): string {
  const begun = new Date(since);
  if (Number.isNaN(begun.getTime())) return 'nobody knows when';
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${begun.getFullYear()}-${two(begun.getMonth() + 1)}-${two(begun.getDate())}`;
  return `${day} ${two(begun.getHours())}:${two(begun.getMinutes())}`;
}

/** The error for a runner whose own lock was removed. */
export const lockGone = (directory: string): TardigradeError =>
  new TardigradeError(
    'E_FENCED',
    `The lock of this run in ${directory} was taken away while it worked, so the run was stopped.`,
    'Make sure that only one agent works in this folder, then run the same command again.',
  );

/** The error for a runner that could not renew its lease in time. */
export const leaseOver = (directory: string): TardigradeError =>
  new TardigradeError(
    'E_FENCED',
    `The lease of this run in ${directory} could not be renewed in time, so the run was stopped.`,
    'Another worker continues it; or run the same command again.',
  );

/** The owner in a lock file; `null` if there is none yet. */
export function parseOwner(bytes: Uint8Array | null): LockHolder | null {
  const owner = fieldsIn(bytes);
  return typeof owner.pid === 'number' && typeof owner.boot === 'string'
    ? (owner as unknown as LockHolder)
    : null;
}

/** True if the last owner released the lock. */
export const isReleased = (bytes: Uint8Array): boolean => fieldsIn(bytes).released === true;

/** The token in a lock file, released or not; 0 if there is none. */
export function tokenIn(bytes: Uint8Array | null): number {
  const { token } = fieldsIn(bytes);
  return typeof token === 'number' && Number.isSafeInteger(token) ? token : 0;
}

function fieldsIn(bytes: Uint8Array | null): { readonly [name: string]: unknown } {
  const value = jsonIn(Buffer.from(bytes ?? []).toString('utf8'));
  return isRecord(value) ? value : {};
}
