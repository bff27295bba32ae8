/** The lock on Windows: a file held open with share mode none, freed by the system at death. */
import fs from 'node:fs';
import { join } from 'node:path';
import { errorCode, readFileIfPresent, replaceFile } from '../../lib/durable-files.ts';
import { TardigradeError } from '../../schema/errors.ts';
import { type Lock, type LockPorts, lockedBy, parseOwner } from './contract.ts';
import type { LockOwner } from './identity.ts';

/** libuv's UV_FS_O_EXLOCK: every other open of the file fails while this handle lives. */
export const EXCLUSIVE_FLAG = 0x10000000;

export function lockByHandle(ports: LockPorts, owner: LockOwner): Lock {
  const { directory } = ports;
  const ownerFile = join(directory, 'owner.json');
  let fd: number;
  try {
    const flags = fs.constants.O_RDWR | fs.constants.O_CREAT | EXCLUSIVE_FLAG;
    fd = ports.fs.open(join(directory, 'held'), flags, 0o600);
  } catch (error) {
    if (errorCode(error) !== 'EBUSY') throw error;
    throw lockedBy(parseOwner(readFileIfPresent(ports.fs, ownerFile)), 'alive');
  }
  try {
    replaceFile(ports.fs, ownerFile, Buffer.from(`${JSON.stringify(owner)}\n`));
  } catch (error) {
    // It only tells a refused runner who we are; the handle is the lock.
    if (!(error instanceof TardigradeError)) throw error;
  }
  let isHeld = true;
  return {
    owner,
    release() {
      if (isHeld) ports.fs.close(fd);
      isHeld = false;
    },
  };
}
