/** The lock on Windows: a file held open with share mode none, freed by the system at death. */
import { join } from 'node:path';
import { TardigradeError } from '../../lib/errors.ts';
import {
  discard,
  errorCode,
  readFileIfPresent,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import { type Lock, type LockPorts, lockedBy, parseOwner, tokenIn } from './contract.ts';
import type { LockOwner } from './identity.ts';

/** Node's `fs.constants` of win32: this code also runs against a simulated one. */
const O_RDWR = 0x2;
const O_CREAT = 0x100;
/** libuv's UV_FS_O_EXLOCK: every other open of the file fails while this handle lives. */
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
    get owner() {
      return owner;
    },
    // The system keeps the file from everybody as long as the handle is open.
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
      // While the lock is still ours: the next owner's data must not be taken away.
      discard(ports.fs, ownerFile);
      ports.fs.close(fd);
    },
  };
}

/** It only tells a refused runner who we are; the handle is the lock. */
function writeOwner({ fs }: LockPorts, file: string, owner: LockOwner): void {
  try {
    replaceFile(fs, file, Buffer.from(`${JSON.stringify(owner)}\n`));
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
  }
}

/** Of an owner that died; who gives the lock up leaves its token in the journal. */
function tokenOf({ fs }: LockPorts, file: string): number {
  try {
    return tokenIn(readFileIfPresent(fs, file));
  } catch {
    return 0;
  }
}

/** Who it is only makes the refusal clearer: the file may just be written. */
function ownerIn({ fs }: LockPorts, file: string): LockOwner | null {
  try {
    return parseOwner(readFileIfPresent(fs, file));
  } catch {
    return null;
  }
}
