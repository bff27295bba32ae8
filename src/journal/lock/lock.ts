/** Allows one runner per workspace: takes its lock in the way that the platform supports. */

import { TardigradeError } from '../../lib/errors.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import {
  discard,
  errorCode,
  readFileIfPresent,
  replaceLocked,
  storageError,
} from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { type Lock, type LockPorts, lockedBy, parseOwner, tokenIn } from './contract.ts';
import { lockByGeneration } from './generations.ts';
import type { LockHolder } from './identity.ts';

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
  const owner: LockHolder = {
    host: ports.identity.host,
    boot: ports.identity.boot,
    pidNamespace: ports.identity.pidNamespace,
    pid: ports.identity.pid,
    thread: ports.identity.thread,
    // On win32 the query takes a second, and the handle answers the question better.
    startTime: isWindows ? '' : (ports.identity.startTimeOf(ports.identity.pid) ?? ''),
    since: ports.clock.now(),
    ...(ports.leases === undefined || isWindows ? {} : { leaseMs: ports.leases.ms }),
  };
  const mayRob = ({ since }: LockHolder) => force || owner.since - since > longestMs;
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

/** The value of `fs.constants` on win32; this code also runs against a simulated Windows. */
const O_RDWR = 0x2;
const O_CREAT = 0x100;
/** libuv's UV_FS_O_EXLOCK: while this handle is open, every other open of the file fails. */
const EXCLUSIVE_FLAG = 0x10000000;

/** The lock on Windows: a file held open with share mode none, which the system frees when the process dies. */
function lockByHandle(ports: LockPorts, first: LockHolder): Lock {
  const { directory } = ports;
  const ownerFile = join(directory, 'owner.json');
  let fd: number;
  try {
    fd = ports.fs.open(join(directory, 'held'), O_RDWR | O_CREAT | EXCLUSIVE_FLAG, 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EBUSY') throw error;
    throw lockedBy(ownerIn(ports, ownerFile), 'alive', ports.identity);
  }
  const highest = tokenOf(ports, ownerFile);
  let owner = first;
  writeOwner(ports, ownerFile, owner);
  let isHeld = true;
  return {
    // The system keeps everyone else from the file while the handle is open.
    isHeld: () => isHeld,
    isTaken: () => false,
    renew: () => {},
    isLate: () => false,
    takeToken(journalled) {
      const token = Math.max(journalled, highest, owner.token ?? 0) + 1;
      owner = { ...owner, token };
      writeOwner(ports, ownerFile, owner);
      return token;
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      // Done while the lock is still ours, so that the next owner's data is not removed.
      discard(ports.fs, ownerFile);
      ports.fs.close(fd);
    },
  };
}

/**
 * Writes the owner only for a refused runner's message. The handle is the lock, so a failure here does not
 * matter.
 */
function writeOwner({ fs }: LockPorts, file: string, owner: LockHolder): void {
  try {
    replaceLocked(fs, file, Buffer.from(`${JSON.stringify(owner)}\n`), { isSynced: true });
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
  }
}

/** The token of an owner that died. An owner that releases the lock leaves its token in the journal. */
const tokenOf = ({ fs }: LockPorts, file: string): number =>
  tokenIn(orNull(() => readFileIfPresent(fs, file)));

/** Only makes the refusal clearer. The file may just be being written. */
const ownerIn = ({ fs }: LockPorts, file: string): LockHolder | null =>
  parseOwner(orNull(() => readFileIfPresent(fs, file)));
