/**
 * The lock as numbered files `lock.<n>`. Owns the files of the lock folder.
 * 1. The highest number is the lock. It is free if it says `released` or its owner is dead.
 * 2. A number is taken once and complete: the owner's data is linked into place, never written there.
 * 3. Numbers only go up. The last eight stay, so that a slow starter cannot take an old one again. Only a lock whose
 *    release cannot be written gives its number back.
 * 4. A process that took a number looks again, and steps back if there is a higher one.
 * 5. An owner with a lease has agreed to lose the lock if it does not renew it, whether it is alive or not.
 * 6. The token in the files only grows, and stays when the release can be written.
 */
import { TardigradeError } from '../../lib/errors.ts';
import { join } from '../../lib/files/absolute-paths.ts';
import { claimFile } from '../../lib/files/claim-file.ts';
import {
  discard,
  errorCode,
  isDiskFull,
  orMissing,
  readFileIfPresent,
  replaceLocked,
  withStorageErrors,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { newTemporaryOf } from '../../lib/files/temporary-name.ts';
import { orNull } from '../../lib/or-null.ts';
import {
  isReleased,
  type Lock,
  type LockPorts,
  lockedBy,
  lockGone,
  parseOwner,
  tokenIn,
} from './contract.ts';
import { type LockHolder, livenessOf } from './identity.ts';
import { isLate } from './lease.ts';

const KEPT_GENERATIONS = 8;
/** A lock file without an owner for longer than this was left by a process that died. */
const EMPTY_FILE_DEAD_MS = 5_000;
/** A process loses this many rounds only if others win them, so one of them holds the lock. */
const MAX_ROUNDS = 100;

type Standing =
  | { readonly kind: 'free' }
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'held';
      readonly owner: LockHolder | null;
      readonly certainty: 'alive' | 'unknown';
    };

/** @param mayRob asked only about an owner that cannot be examined from here */
export function lockByGeneration(
  ports: LockPorts,
  owner: LockHolder,
  mayRob: (other: LockHolder) => boolean,
): Lock {
  const { fs, directory, leases } = ports;
  // Asked before anything is taken: it is the caller's, and may fail.
  const begun = leases?.now() ?? 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const highest = highestGeneration(fs, directory);
    if (!Number.isSafeInteger(highest + 1)) throw tooHigh(directory);
    if (highest > 0) {
      const standing = standingOf(ports, pathOf(directory, highest));
      if (standing.kind === 'gone') continue;
      if (standing.kind === 'held') {
        const { owner: other, certainty } = standing;
        const isFree = certainty === 'unknown' && other !== null && mayRob(other);
        if (!isFree) throw lockedBy(other, certainty, ports.identity);
      }
    }
    const mine = highest + 1;
    if (!take(fs, directory, mine, owner)) continue;
    if (highestGeneration(fs, directory) > mine) {
      discard(fs, pathOf(directory, mine));
      continue;
    }
    tidy(fs, directory, mine);
    return heldLock(ports, mine, owner, begun);
  }
  throw lockedBy(null, 'alive', ports.identity);
}

const tooHigh = (directory: string): TardigradeError =>
  new TardigradeError(
    'E_WORKSPACE',
    `A lock file in ${directory} has a number so high that no agent gave it.`,
    'When no agent works in this folder, delete that file.',
    { option: 'workspace' },
  );

function heldLock(ports: LockPorts, mine: number, first: LockHolder, begun: number): Lock {
  const { fs, directory, leases } = ports;
  let owner = first;
  let renewedAt = begun;
  const isOurs = (): boolean => isHeld(fs, directory, mine, owner);
  const replace = (next: LockHolder): void => {
    replaceLocked(fs, pathOf(directory, mine), bytesOf(next), { isSynced: false });
    owner = next;
  };
  return {
    isHeld: isOurs,
    isTaken: () => isAbove(fs, directory, mine),
    takeToken(journalled) {
      return withStorageErrors(`taking the lock in ${directory}`, () => {
        const token = Math.max(journalled, highestToken(fs, directory)) + 1;
        if (!isOurs()) throw lockGone(directory);
        replace({ ...owner, token });
        return token;
      });
    },
    renew() {
      if (leases === undefined || isLate(leases, renewedAt) || !isOurs()) return;
      const at = leases.now();
      // If renewing keeps failing, the lease becomes late.
      orNull(() => {
        replace({ ...owner, beat: (owner.beat ?? 0) + 1 });
        renewedAt = at;
      });
    },
    isLate: () => leases !== undefined && isLate(leases, renewedAt),
    release: () => release(fs, directory, mine, owner),
  };
}

/** False if the folder is missing or cannot be examined now: that is no takeover. */
const isAbove = (fs: FileSystem, directory: string, mine: number): boolean =>
  (orNull(() => highestGeneration(fs, directory)) ?? mine) > mine;

/** Invariant 6: the newest file has it. */
function highestToken(fs: FileSystem, directory: string): number {
  for (const each of generationsIn(fs, directory).sort((one, other) => other - one)) {
    const token = tokenIn(readFileIfPresent(fs, pathOf(directory, each)));
    if (token > 0) return token;
  }
  return 0;
}

const pathOf = (directory: string, generation: number): string =>
  join(directory, `lock.${generation}`);

function generationsIn(fs: FileSystem, directory: string): number[] {
  return fs
    .readdir(directory)
    .flatMap((name) => /^lock\.([1-9][0-9]*)$/.exec(name)?.[1] ?? [])
    .map(Number);
}

export const highestGeneration = (fs: FileSystem, directory: string): number =>
  generationsIn(fs, directory).reduce((highest, each) => Math.max(highest, each), 0);

function standingOf({ fs, identity, clock, leases }: LockPorts, path: string): Standing {
  const bytes = readFileIfPresent(fs, path);
  if (bytes === null) return { kind: 'gone' };
  if (isReleased(bytes)) return { kind: 'free' };
  const owner = parseOwner(bytes);
  if (owner !== null) {
    const liveness = livenessOf(owner, identity);
    const { leaseMs } = owner;
    const isOver = leaseMs !== undefined && leases?.isOver(path, bytes, leaseMs) === true;
    return liveness === 'dead' || isOver
      ? { kind: 'free' }
      : { kind: 'held', owner, certainty: liveness };
  }
  // A lock file without its owner occurs only on file systems without links.
  const left = orMissing(() => fs.lstat(path));
  if (left === null) return { kind: 'gone' };
  return clock.now() - left.mtimeMs > EMPTY_FILE_DEAD_MS
    ? { kind: 'free' }
    : { kind: 'held', owner: null, certainty: 'alive' };
}

/** Invariant 2. False if someone else has that number. */
function take(fs: FileSystem, directory: string, generation: number, owner: LockHolder): boolean {
  const path = pathOf(directory, generation);
  // The winner of an earlier round may have removed our claim.
  return orMissing(() => claimFile(fs, newTemporaryOf(path), path, bytesOf(owner))) ?? false;
}

const bytesOf = (owner: LockHolder): Buffer => Buffer.from(`${JSON.stringify(owner)}\n`);

/** Invariant 3. A process whose claim this removes tries again. */
function tidy(fs: FileSystem, directory: string, mine: number): void {
  for (const name of fs.readdir(directory)) {
    if (name.endsWith('.tmp')) discard(fs, join(directory, name));
  }
  for (const generation of generationsIn(fs, directory)) {
    if (generation <= mine - KEPT_GENERATIONS) discard(fs, pathOf(directory, generation));
  }
}

/** Invariant 1, checked again. What cannot be examined now still counts as held. */
function isHeld(fs: FileSystem, directory: string, mine: number, owner: LockHolder): boolean {
  try {
    const bytes = readFileIfPresent(fs, pathOf(directory, mine));
    return bytes?.equals(bytesOf(owner)) === true && highestGeneration(fs, directory) === mine;
  } catch (error) {
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR';
  }
}

function release(fs: FileSystem, directory: string, mine: number, owner: LockHolder): void {
  // A process must not release what now belongs to someone else.
  if (!isHeld(fs, directory, mine, owner)) return;
  const path = pathOf(directory, mine);
  try {
    const { token } = owner;
    const bytes = Buffer.from(`${JSON.stringify({ released: true, token })}\n`);
    replaceLocked(fs, path, bytes, { isSynced: false });
  } catch (error) {
    // This process may live on, and its own lock would keep it out; removing a file needs no space. A volume that is
    // cut off is left alone: whoever waits for the end of the lease still waits.
    if (isDiskFull(error)) discard(fs, path);
  }
}
