/** One runner a workspace: takes its lock the way the platform allows. */

import { TardigradeError } from '../../lib/errors.ts';
import { errorCode, storageError } from '../../lib/files/durable-files.ts';
import type { Lock, LockPorts } from './contract.ts';
import { lockByHandle } from './exclusive-handle.ts';
import { lockByGeneration } from './generations.ts';
import type { LockOwner } from './identity.ts';

export interface LockOptions {
  /** Take over from an owner that cannot be looked at from here. A live one is never robbed. */
  readonly force?: boolean;
}

const NOT_ALLOWED = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Takes the lock or throws E_LOCKED with the owner's pid and start time; E_WORKSPACE where nothing
 * may be written, E_DISK_FULL, E_IO.
 */
export function acquireLock(ports: LockPorts, { force = false }: LockOptions = {}): Lock {
  const isWindows = ports.fs.platform === 'win32';
  const owner: LockOwner = {
    host: ports.identity.host,
    boot: ports.identity.boot,
    pidNamespace: ports.identity.pidNamespace,
    pid: ports.identity.pid,
    // On win32 asking takes a second, and the handle answers the question better.
    startTime: isWindows ? '' : (ports.identity.startTimeOf(ports.identity.pid) ?? ''),
    since: ports.clock.now(),
    ...(ports.leases === undefined || isWindows ? {} : { leaseMs: ports.leases.ms }),
  };
  try {
    return isWindows ? lockByHandle(ports, owner) : lockByGeneration(ports, owner, force);
  } catch (error) {
    // On Windows a program that looks at a file keeps others out of it for a moment, by this code too.
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
