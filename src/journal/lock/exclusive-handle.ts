/** The lock on Windows: a file held open with share mode none, which the system frees when the process dies. */

import { TardigradeError } from '../../lib/errors.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import {
  discard,
  errorCode,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { type Lock, type LockPorts, lockedBy, parseOwner, tokenIn } from './contract.ts';
import type { LockOwner } from './identity.ts';

/** The value of `fs.constants` on win32; this code also runs against a simulated Windows. */
const O_RDWR = 0x2;
const O_CREAT = 0x100;
/** libuv's UV_FS_O_EXLOCK: while this handle is open, every other open of the file fails. */
const EXCLUSIVE_FLAG = 0x10000000;

export function lockByHandle(ports: LockPorts, first: LockOwner): Lock {
  const { directory } = ports;
  const ownerFile = join(directory, 'owner.json');
  let fd: number;
  try {
    fd = ports.fs.open(join(directory, 'held'), O_RDWR | O_CREAT | EXCLUSIVE_FLAG, 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EBUSY') throw error;
    throw lockedBy(ownerIn(ports, ownerFile), 'alive');
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

/** Only tells a refused runner who holds the lock. The handle is the lock, so a failure does not matter. */
function writeOwner({ fs }: LockPorts, file: string, owner: LockOwner): void {
  try {
    replaceFile(fs, file, Buffer.from(`${JSON.stringify(owner)}\n`));
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
  }
}

/** The token of an owner that died. An owner that releases the lock leaves its token in the journal. */
const tokenOf = ({ fs }: LockPorts, file: string): number =>
  tokenIn(orNull(() => readFileIfPresent(fs, file)));

/** Only makes the refusal clearer. The file may just be being written. */
const ownerIn = ({ fs }: LockPorts, file: string): LockOwner | null =>
  parseOwner(orNull(() => readFileIfPresent(fs, file)));
