/**
 * Saves a journal whose file was removed. Its bytes are read through the open handle and written to the
 * quarantine of its folder, or beside that folder if it now holds someone else's state. Blobs that are still in
 * memory are saved with it, so that the run can continue.
 */

import { TardigradeError } from '../../lib/errors.ts';
import { basename, dirname, join } from '../../lib/files/absolute-paths.ts';
import {
  ensureDirectory,
  errorCode,
  fileKindAt,
  replaceFile,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import type { BlobMemory } from '../blobs/memory.ts';
import {
  ignoreForGit,
  type Layout,
  LOST_PREFIX,
  layoutIn,
  STATE_DIRECTORY,
  type StateFolder,
} from '../layout.ts';
import { copyRange } from '../quarantine.ts';
import { readSnapshot } from '../snapshot.ts';
import type { Sight } from './own-file.ts';

export interface RemovedJournal {
  readonly run: string;
  readonly fd: number;
  readonly size: number;
  readonly memory: BlobMemory;
  /** Describes the other run whose journal is in its place; `null` if there is none. */
  readonly other: () => string | null;
}

interface SavedJournal {
  readonly file: string;
  /** The new folder beside the current state; `null` if the journal is in the quarantine. */
  readonly beside: string | null;
}

export type Loss = Extract<Sight, { kind: 'removed' | 'replaced' | 'hidden' }>;

export interface Rescue {
  readonly loss: Loss;
  /** Where the journal is now; `null` if it could not be saved. */
  readonly file: string | null;
  /** Explains what happened, where the journal is, and how to continue. */
  readonly error: TardigradeError;
}

/** Never throws; a failure to save is part of the message. */
export function saveJournal(place: StateFolder, journal: RemovedJournal, loss: Loss): Rescue {
  const now = whereItIs(place.fs, journal.fd);
  const what = whatHappened(place.layout, loss, now, journal.other());
  if (now !== null && isWorkspaceRenamed(place, now)) {
    const hint = `Go on in ${dirname(dirname(now))}`;
    const error = new TardigradeError('E_STATE_GONE', what, hint, RESUME);
    return { loss, file: now, error };
  }
  try {
    const saved = save(place, journal);
    const text = `${what} The journal of this run was saved to ${saved.file}.`;
    const hint = howToGoOn(place, saved, { loss, run: journal.run }, now);
    const error = new TardigradeError('E_STATE_GONE', text, hint, RESUME);
    return { loss, file: saved.file, error };
  } catch (cause) {
    const code = errorCode(cause instanceof TardigradeError ? cause.cause : cause);
    const error = new TardigradeError(
      'E_STATE_GONE',
      `${what} The journal of this run could not be saved${code === '' ? '' : ` (${code})`}.`,
      now === null
        ? `Put ${STATE_DIRECTORY} back from a backup, or start the goal over.`
        : `Put it back to ${place.layout.history}, then go on`,
      { cause, ...(now === null ? {} : RESUME) },
    );
    return { loss, file: null, error };
  }
}

function save(place: StateFolder, journal: RemovedJournal): SavedJournal {
  const saved = choosePlace(place, journal.run);
  const { fs } = place;
  const state = saved.beside === null ? place.layout : layoutIn(saved.beside);
  ensureDirectory(fs, dirname(saved.file));
  ignoreForGit(fs, state);
  copyRange(fs, journal.fd, { start: 0, end: journal.size }, saved.file);
  saveBlobs(fs, state.blobs, journal.memory);
  return saved;
}

function choosePlace({ fs, layout }: StateFolder, run: string): SavedJournal {
  if (isFree(fs, layout))
    return { file: freePath(fs, join(layout.quarantine, `history.${run}.jsonl`)), beside: null };
  const folder = freePath(fs, join(dirname(layout.root), `${LOST_PREFIX}${run}`));
  return { file: layoutIn(folder).history, beside: folder };
}

/** True if the folder is gone or holds no other journal. */
function isFree(fs: FileSystem, layout: Layout): boolean {
  try {
    const kind = fs.lstat(layout.root).kind;
    return kind === 'directory' && fileKindAt(fs, layout.history) === null;
  } catch (error) {
    return errorCode(error) === 'ENOENT';
  }
}

function freePath(fs: FileSystem, path: string): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? path : `${path}.${count}`;
    if (fileKindAt(fs, candidate) === null) return candidate;
  }
}

/** Blobs that exist only on disk, such as earlier contents of large files, cannot be saved. */
function saveBlobs(fs: FileSystem, folder: string, memory: BlobMemory): void {
  ensureDirectory(fs, folder);
  for (const [hash, bytes] of memory.entries()) {
    const path = join(folder, hash);
    if (fileKindAt(fs, path) === null) replaceFile(fs, path, bytes);
  }
}

function whatHappened(
  { history }: Layout,
  loss: Loss,
  now: string | null,
  other: string | null,
): string {
  if (loss.kind === 'hidden')
    return `${history} cannot be read any more (${loss.code}), so the run was stopped.`;
  const by = other === null ? 'another file' : `the journal of another run (${other})`;
  const how = loss.kind === 'removed' ? 'was taken away' : `was replaced by ${by}`;
  const moved = now === null ? '' : ` It is ${now} now.`;
  return `${history} ${how} while the run worked, so the run was stopped.${moved}`;
}

/** The current path of a renamed file, if the system reports it. */
const whereItIs = (fs: FileSystem, fd: number): string | null =>
  fs.platform === 'linux' ? orNull(() => fs.realpath(`/proc/self/fd/${fd}`)) : null;

/** The workspace was renamed with everything in it. */
const isWorkspaceRenamed = ({ fs, layout }: StateFolder, now: string): boolean =>
  basename(dirname(now)) === STATE_DIRECTORY && isMissing(fs, dirname(layout.root));

/** The whole state folder was renamed, not just the journal. */
const isFolderRenamed = (fs: FileSystem, now: string): boolean =>
  basename(now) === basename(layoutIn('').history) &&
  !isMissing(fs, layoutIn(dirname(now)).lock) &&
  !isMissing(fs, layoutIn(dirname(now)).blobs);

const isMissing = (fs: FileSystem, path: string): boolean =>
  orNull(() => fileKindAt(fs, path) === null) === true;

const RESUME = { command: ['resume'] } as const;

function isRestOwn({ fs, layout }: StateFolder, run: string): boolean {
  const reading = readSnapshot(fs, layout);
  return reading.kind === 'ok' && reading.snapshot.run === run;
}

function howToGoOn(
  place: StateFolder,
  { file, beside }: SavedJournal,
  { loss, run }: { readonly loss: Loss; readonly run: string },
  now: string | null,
): string {
  const { fs, layout } = place;
  const { root, history } = layout;
  if (loss.kind === 'replaced' && loss.isCopy)
    return 'The file that stands there now has every record of this run, so it can go on';
  if (beside !== null && isRestOwn(place, run))
    return `To go on from it, move ${history} away and ${file} to its place, then go on`;
  if (beside !== null)
    return `To go on from it, move ${root} away, rename ${beside} to ${root}, then go on`;
  return now !== null && isFolderRenamed(fs, now)
    ? `To go on, remove ${root}, rename ${dirname(now)} to ${root}, then go on`
    : `To go on from it, move it back to ${history}, then go on`;
}
