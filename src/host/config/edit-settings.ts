/**
 * Changes a settings file of a person.
 * 1. After a crash or a full disk it is the old file or the new one, complete.
 * 2. Two processes that change settings do so one after the other, so that nothing is lost.
 */
import { acquireLock } from '../../journal/lock/lock.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import {
  blockFor,
  ensureDirectory,
  fileKindAt,
  readFileIfPresent,
  replaceFile,
  type Wait,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Machine } from '../../run/machine.ts';

/**
 * @param file absolute
 * @param edit gets the whole text, `{}` for a file that is missing, and may throw
 * @param mode of a file that is created; left out: only this user may read it
 */
export type EditSettings = (file: string, edit: (text: string) => string, mode?: number) => void;

export interface SettingsPlace {
  readonly machine: Pick<Machine, 'fs' | 'identity' | 'clock'>;
  readonly dataFolder: string;
  readonly wait?: Wait;
}

const LOCKS = 'settings';
const EMPTY = '{}\n';
const OWN_MODE = 0o600;
const LONGEST_WAIT_MS = 5_000;
const STEP_MS = 20;
/** No edit takes this long. An owner that holds the lock longer was killed where it cannot be examined. */
const LONGEST_EDIT_MS = 60_000;

/** Throws what `edit` throws, E_LOCKED, E_IO and E_DISK_FULL. */
export const editSettingsOn =
  ({ machine, dataFolder, wait = blockFor }: SettingsPlace): EditSettings =>
  (file, edit, mode = OWN_MODE) => {
    const { fs } = machine;
    const { dirname, join } = pathsOf(fs.platform);
    const directory = join(dataFolder, LOCKS);
    ensureDirectory(fs, directory);
    const lock = lockIn({ ...machine, directory }, wait);
    try {
      ensureDirectory(fs, dirname(file));
      editWhole(fs, file, edit, mode);
    } finally {
      lock.release();
    }
  };

function editWhole(
  fs: FileSystem,
  file: string,
  edit: (text: string) => string,
  first: number,
): void {
  const isThere = fileKindAt(fs, file) !== null;
  // A link that the user made is kept, and so is the file's mode.
  const real = isThere ? fs.realpath(file) : file;
  const mode = isThere ? fs.stat(real).mode & 0o777 : first;
  const before = readFileIfPresent(fs, real)?.toString('utf8') ?? EMPTY;
  const after = edit(before);
  if (after !== before) replaceFile(fs, real, Buffer.from(after), { mode });
}

function lockIn(ports: Parameters<typeof acquireLock>[0], wait: Wait) {
  for (let waited = 0; ; waited += STEP_MS) {
    try {
      return acquireLock(ports, { longestMs: LONGEST_EDIT_MS });
    } catch (error) {
      const isTaken = error instanceof TardigradeError && error.code === 'E_LOCKED';
      if (!isTaken) throw error;
      if (waited >= LONGEST_WAIT_MS) throw busy(error);
    }
    wait(STEP_MS);
  }
}

const busy = (cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_LOCKED',
    'Another process is changing the settings.',
    'Run the same command again in a moment.',
    { cause },
  );
