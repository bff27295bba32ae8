/** One runner a workspace: takes its lock the way the platform allows. */
import { storageError } from '../../lib/durable-files.ts';
import type { Lock, LockPorts } from './contract.ts';
import { lockByHandle } from './exclusive-handle.ts';
import { lockByGeneration } from './generations.ts';
import type { LockOwner } from './identity.ts';

export interface LockOptions {
  /** Take over from an owner that cannot be looked at from here. A live one is never robbed. */
  readonly force?: boolean;
}

/** Takes the lock or throws E_LOCKED with the owner's pid and start time; E_DISK_FULL, E_IO. */
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
  };
  try {
    return isWindows ? lockByHandle(ports, owner) : lockByGeneration(ports, owner, force);
  } catch (error) {
    throw storageError(error, `locking ${ports.directory}`);
  }
}
