/** Reports who holds the lock, without taking it. */
import { join } from '../../lib/files/absolute-paths.ts';
import {
  errorCode,
  fileKindAt,
  readFileIfPresent,
  withStorageErrors,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { type LockPorts, parseOwner } from './contract.ts';
import { highestGeneration } from './generations.ts';
import { type LockHolder, livenessOf } from './identity.ts';

export interface LockSight {
  readonly owner: LockHolder;
  /** An owner that cannot be examined from here counts as alive, as it does for a second runner. */
  readonly isAlive: boolean;
}

type InspectPorts = Pick<LockPorts, 'fs' | 'directory' | 'identity'>;

/** The owner in a lock folder, dead or alive; `null` if it has none or released the lock. Throws E_IO. */
export function inspectLock(ports: InspectPorts): LockSight | null {
  return withStorageErrors(`looking at ${ports.directory}`, () => sightOf(ports));
}

function sightOf({ fs, directory, identity }: InspectPorts): LockSight | null {
  if (fileKindAt(fs, directory) !== 'directory') return null;
  const owner = parseOwner(readFileIfPresent(fs, join(directory, ownerFile(fs, directory))));
  if (owner === null) return null;
  const mayLive = livenessOf(owner, identity) !== 'dead';
  return { owner, isAlive: mayLive && (fs.platform !== 'win32' || isHeld(fs, directory)) };
}

function ownerFile(fs: FileSystem, directory: string): string {
  if (fs.platform === 'win32') return 'owner.json';
  return `lock.${highestGeneration(fs, directory)}`;
}

/**
 * Windows reuses pids soon, and owners there record no start time, so a live pid proves nothing. This is tried
 * only if the pid is alive, because our own handle would block a runner that starts in this instant.
 */
function isHeld(fs: FileSystem, directory: string): boolean {
  try {
    fs.close(fs.open(join(directory, 'held'), 'r'));
    return false;
  } catch (error) {
    return errorCode(error) !== 'ENOENT';
  }
}
