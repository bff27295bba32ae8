/** Allows one runner per workspace: takes its lock in the way that the platform supports. */

import { TardigradeError } from '../../lib/errors.ts';
import { errorCode, storageError } from '../../lib/files/durable-files.ts';
import type { Lock, LockPorts } from './contract.ts';
import { lockByHandle } from './exclusive-handle.ts';
import { lockByGeneration } from './generations.ts';
import type { LockOwner } from './identity.ts';

export interface LockOptions {
  /** Takes over from an owner that cannot be examined from here. A live owner is never robbed. */
  readonly force?: boolean;
  /** The same, only if that owner has had the lock for more milliseconds than its work can take. */
  readonly longestMs?: number | undefined;
}

const NOT_ALLOWED = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Takes the lock. Throws E_LOCKED with the owner's pid and start time, E_WORKSPACE if nothing can be written
 * there, E_DISK_FULL, E_IO.
 */
export function acquireLock(
  ports: LockPorts,
  { force = false, longestMs = Number.POSITIVE_INFINITY }: LockOptions = {},
): Lock {
  const isWindows = ports.fs.platform === 'win32';
  const owner: LockOwner = {
    host: ports.identity.host,
    boot: ports.identity.boot,
    pidNamespace: ports.identity.pidNamespace,
    pid: ports.identity.pid,
    // On win32 the query takes a second, and the handle answers the question better.
    startTime: isWindows ? '' : (ports.identity.startTimeOf(ports.identity.pid) ?? ''),
    since: ports.clock.now(),
    ...(ports.leases === undefined || isWindows ? {} : { leaseMs: ports.leases.ms }),
  };
  const mayRob = ({ since }: LockOwner) => force || owner.since - since > longestMs;
  try {
    return isWindows ? lockByHandle(ports, owner) : lockByGeneration(ports, owner, mayRob);
  } catch (error) {
    // On Windows, any program that examines a file blocks others for a moment, including this code.
    if (!isWindows && NOT_ALLOWED.has(errorCode(error))) throw notAllowed(ports.directory, error);
    throw storageError(error, `locking ${ports.directory}`);
  }
}

const notAllowed = (directory: string, cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_WORKSPACE',
    `Nothing may be written to ${directory} (${errorCode(cause)}).`,
    'Change its permissions, or choose a folder that you may write to.',
    { cause, option: 'workspace' },
  );
