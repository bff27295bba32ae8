/** The paths below `.agent_context/`, and creating them. */

import { TardigradeError } from '../lib/errors.ts';
import { join } from '../lib/files/absolute-paths.ts';
import {
  discard,
  errorCode,
  makeDirectory,
  orMissing,
  storageError,
  TEMPORARY_SUFFIX,
  writeWholeFile,
} from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { orNull } from '../lib/or-null.ts';
import { refuseLinks } from './no-links.ts';

export const STATE_DIRECTORY = '.agent_context';

/** The prefix of folders beside it. Each holds the state of a run whose own folder was replaced by someone else's. */
export const LOST_PREFIX = `${STATE_DIRECTORY}.lost-`;

/** Below this, everything was made by commands; no content of a user's file was kept there. */
export const PUT_ASIDE = 'put-aside';

/** The state below one `.agent_context/`. */
export interface StateFolder {
  readonly fs: FileSystem;
  readonly layout: Layout;
}

export interface Layout {
  readonly root: string;
  readonly history: string;
  readonly state: string;
  readonly loops: string;
  readonly log: string;
  readonly ledger: string;
  readonly blobs: string;
  /** The newest list of kept files, so that the next run need not read them again. */
  readonly kept: string;
  readonly runs: string;
  /** Conversations, each in a folder with a layout of its own. */
  readonly sessions: string;
  readonly lock: string;
  readonly quarantine: string;
  readonly reserve: string;
  /** The engine's scratch copy of the workspace while trials run; nothing of it is kept. */
  readonly scratch: string;
  /** Subtasks that are runs of their own: for each, a copy of the workspace with the run's state. */
  readonly children: string;
  /** The cache of confined commands, which cannot see the user's own caches. */
  readonly cache: string;
  /** Files made by confined commands that only a person may permit. */
  readonly putAside: string;
  /** Answers left for the run by another terminal, one file each. */
  readonly answers: string;
  /** Records that a person had the last journal set aside, and where it is. */
  readonly setAside: string;
  /** The highest number ever given to a run. */
  readonly lastNumber: string;
}

export const layoutOf = (workspace: string): Layout => layoutIn(join(workspace, STATE_DIRECTORY));

/** The same for a folder with another name. */
export function layoutIn(root: string): Layout {
  // Joined once: a server looks at many folders, again and again.
  const below = join(root, '_').slice(0, -1);
  return {
    root,
    history: `${below}history.jsonl`,
    state: `${below}state.json`,
    loops: `${below}loops.json`,
    log: `${below}agent.log`,
    ledger: `${below}agent_ledger.log`,
    blobs: `${below}blobs`,
    kept: `${below}kept`,
    runs: `${below}runs`,
    sessions: `${below}sessions`,
    lock: `${below}lock`,
    quarantine: `${below}quarantine`,
    reserve: `${below}reserve`,
    scratch: `${below}scratch`,
    children: `${below}children`,
    cache: `${below}cache`,
    putAside: `${below}${PUT_ASIDE}`,
    answers: `${below}answers`,
    setAside: `${below}set-aside.json`,
    lastNumber: `${below}last-number`,
  };
}

const NOT_USABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ELOOP']);

/**
 * Creates what is missing. Nothing is synced here: starting or opening a journal makes the folder names
 * durable, and without a journal there is nothing to lose. Several processes may do this at once: nothing is
 * renamed, and the later one finds it done. Throws E_WORKSPACE if the workspace cannot hold a state folder,
 * E_DISK_FULL, E_IO.
 */
export function prepareLayout(fs: FileSystem, layout: Layout): void {
  refuseUnusable(fs, layout);
  refuseLinks(fs, layout);
  try {
    for (const path of [layout.root, layout.blobs, layout.runs, layout.lock, layout.quarantine])
      makeDirectory(fs, path);
    ignoreForGit(fs, layout);
  } catch (error) {
    const cause = error instanceof TardigradeError ? error.cause : error;
    if (NOT_USABLE.has(errorCode(cause))) throw notKeepable(layout, cause);
    throw storageError(error, `preparing ${layout.root}`);
  }
}

const notKeepable = ({ root }: Layout, cause: unknown): TardigradeError =>
  new TardigradeError(
    'E_WORKSPACE',
    `Cannot keep the run's state in ${root} (${cause instanceof Error ? cause.message : errorCode(cause)}).`,
    'Choose a folder that you may write to.',
    { cause, option: 'workspace' },
  );

/**
 * State is kept only in a real folder: behind a link it would be unprotected under another name. Throws
 * E_WORKSPACE for a file, a link or anything else in its place.
 */
export function refuseUnusable(fs: FileSystem, { root }: Pick<Layout, 'root'>): void {
  const what = whatStandsAt(fs, root);
  if (what === null) return;
  throw new TardigradeError(
    'E_WORKSPACE',
    `${root} is ${what}; the state of a run is kept in a folder of that name.`,
    'Move it away, or choose another folder.',
    { option: 'workspace' },
  );
}

/** The layout of a workspace's state for read-only use. Throws E_WORKSPACE as above. */
export function usableLayout(fs: FileSystem, workspace: string): Layout {
  const layout = layoutOf(workspace);
  refuseUnusable(fs, layout);
  refuseEndless(fs, layout.history);
  return layout;
}

/** No journal grows this long; reading such a file would take forever. */
export const MAX_JOURNAL_BYTES = 2 ** 31;

/** The fault of a journal that is longer than any journal of ours can be; `null` for any other. */
export function whyEndless(fs: FileSystem, history: string): string | null {
  const size = sizeOf(fs, history);
  if (size <= MAX_JOURNAL_BYTES) return null;
  return `it has ${size.toLocaleString('en')} bytes; no journal of ours grows beyond ${MAX_JOURNAL_BYTES.toLocaleString('en')}`;
}

/** Throws E_JOURNAL_CORRUPT for such a journal. @param next what a person can do about it */
export function refuseEndless(fs: FileSystem, history: string, next = MOVE_IT_AWAY): void {
  const why = whyEndless(fs, history);
  if (why !== null)
    throw new TardigradeError('E_JOURNAL_CORRUPT', `${history} is damaged: ${why}.`, next);
}

const MOVE_IT_AWAY =
  'Put it back from a backup, or move it away and repair the run, which says what is left.';

function sizeOf(fs: FileSystem, path: string): number {
  const info = orNull(() => fs.lstat(path));
  return info?.kind === 'file' ? info.size : 0;
}

/** `null` for a folder, for nothing, and for what cannot be examined; opening it reports the reason. */
function whatStandsAt(fs: FileSystem, path: string): string | null {
  const kind = orNull(() => fs.lstat(path))?.kind ?? 'directory';
  if (kind === 'directory') return null;
  if (kind === 'symlink')
    return orNull(() => fs.stat(path)) === null ? 'a link that leads nowhere' : 'a link';
  return kind === 'file' ? 'a file' : 'neither a folder nor a file';
}

/** If someone adds the folder to git anyway, every byte survives: no changed line ends, no merged lines. */
const FOR_GIT: { readonly [name: string]: string } = {
  '.gitignore': '*\n',
  '.gitattributes': '* binary !eol !ident !filter !working-tree-encoding\n',
};

/** Written in place: two writers at once do no harm, and a crash leaves an empty file. */
export function ignoreForGit(fs: FileSystem, { root }: Pick<Layout, 'root'>): void {
  for (const [name, text] of Object.entries(FOR_GIT)) {
    const path = join(root, name);
    if (isEmpty(fs, path)) writeWholeFile(fs, path, Buffer.from(text));
  }
}

/** True if there is nothing, or a file without content. */
function isEmpty(fs: FileSystem, path: string): boolean {
  const info = orMissing(() => fs.lstat(path));
  return info === null || (info.kind === 'file' && info.size === 0);
}

/** False for a link: what lies behind it is not ours. */
export const isRealFolder = (fs: FileSystem, path: string): boolean =>
  orMissing(() => fs.lstat(path))?.kind === 'directory';

/** Removes half-written files that a crash left; nothing refers to them. */
export function sweepTemporaries(fs: FileSystem, layout: Layout): void {
  const { root, blobs, runs, quarantine, answers } = layout;
  for (const directory of [root, blobs, runs, quarantine, answers]) {
    if (!isRealFolder(fs, directory)) continue;
    for (const name of fs.readdir(directory)) {
      if (name.endsWith(TEMPORARY_SUFFIX)) discard(fs, join(directory, name));
    }
  }
}
