/**
 * Where the tests make their folders: in memory, where a disk would be told of each change and asked to keep it.
 * What a file system promises is shown on one of its own (test/crash/storage.test.ts); what else is tested asks
 * only what every file system does.
 */
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
/** All that the tests keep at one time, many times over. */
const LEAST_BYTES = 2 * 1024 ** 3;
const KEPT_MS = 60 * 60 * 1000;

/** @param mounts as Linux lists them. Programs are started from the folders, which some machines forbid there. */
export const holdsPrograms = (mounts: string): boolean =>
  mounts.split('\n').some((line) => {
    const [, at, kind, options = ''] = line.split(' ');
    return at === MEMORY && kind === 'tmpfs' && !/\b(?:ro|noexec)\b/.test(options);
  });

/** What `TMPDIR` is to say. Whoever has said it keeps theirs. */
export function quickFolder(): string {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return tmpdir();
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < LEAST_BYTES || !holdsPrograms(readFileSync('/proc/mounts', 'utf8')))
      return tmpdir();
    const folder = join(MEMORY, `tardigrade-tests-${userInfo().uid}`);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    removeOld(folder);
    return folder;
  } catch {
    return tmpdir();
  }
}

/** Tests that were killed leave theirs behind. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const left = join(folder, name);
    const { mtimeMs } = statSync(left, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs !== undefined && Date.now() - mtimeMs > KEPT_MS)
      rmSync(left, { recursive: true, force: true });
  }
}
