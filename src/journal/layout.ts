/** Where everything lies below `.agent_context/`, and making it. */
import { join } from 'node:path';
import {
  discard,
  errorCode,
  kindOf,
  makeDirectory,
  replaceUnsynced,
  storageError,
  TEMPORARY_SUFFIX,
} from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';

export const STATE_DIRECTORY = '.agent_context';

export interface Layout {
  readonly root: string;
  readonly history: string;
  readonly state: string;
  readonly loops: string;
  readonly log: string;
  readonly ledger: string;
  readonly blobs: string;
  /** Names the newest list of kept files, so that the next run need not read them again. */
  readonly kept: string;
  readonly runs: string;
  readonly lock: string;
  readonly quarantine: string;
  readonly reserve: string;
  /** The engine's own copy of the workspace, while it is looked at; nothing of it is kept. */
  readonly scratch: string;
  /** That there is no journal because a person had the last one set aside, and where it is. */
  readonly setAside: string;
}

/** The paths of one workspace's state. */
export function layoutOf(workspace: string): Layout {
  const root = join(workspace, STATE_DIRECTORY);
  return {
    root,
    history: join(root, 'history.jsonl'),
    state: join(root, 'state.json'),
    loops: join(root, 'loops.json'),
    log: join(root, 'agent.log'),
    ledger: join(root, 'agent_ledger.log'),
    blobs: join(root, 'blobs'),
    kept: join(root, 'kept'),
    runs: join(root, 'runs'),
    lock: join(root, 'lock'),
    quarantine: join(root, 'quarantine'),
    reserve: join(root, 'reserve'),
    scratch: join(root, 'scratch'),
    setAside: join(root, 'set-aside.json'),
  };
}

const NOT_USABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/**
 * Makes what is missing. Nothing is synced here: beginning or opening a journal makes the names of
 * its folders durable, and without a journal there is nothing to lose. Throws E_WORKSPACE when the
 * workspace cannot hold a state directory, E_DISK_FULL, E_IO.
 */
export function prepareLayout(fs: FileSystem, layout: Layout): void {
  try {
    for (const path of [layout.root, layout.blobs, layout.runs, layout.lock, layout.quarantine]) {
      makeDirectory(fs, path);
    }
    const ignore = join(layout.root, '.gitignore');
    // A power cut may have left the name without the content.
    if (kindOf(fs, ignore) === null || fs.stat(ignore).size === 0) {
      replaceUnsynced(fs, ignore, Buffer.from('*\n'));
    }
    const attributes = join(layout.root, '.gitattributes');
    if (kindOf(fs, attributes) === null || fs.stat(attributes).size === 0) {
      replaceUnsynced(fs, attributes, Buffer.from(GIT_ATTRIBUTES));
    }
  } catch (error) {
    const cause = error instanceof TardigradeError ? error.cause : error;
    if (NOT_USABLE.has(errorCode(cause))) {
      throw new TardigradeError(
        'E_WORKSPACE',
        `Cannot keep the run's state in ${layout.root} (${errorCode(cause)}).`,
        'Choose a folder that you may write to.',
        { cause, option: 'workspace' },
      );
    }
    throw storageError(error, `preparing ${layout.root}`);
  }
}

/** Who adds the folder to git all the same gets every byte back: no line ends, no merges of lines. */
const GIT_ATTRIBUTES = '* binary !eol !ident !filter !working-tree-encoding\n';

/** Removes half-written files that a crash left; they were never part of anything. */
export function sweepTemporaries(fs: FileSystem, layout: Layout): void {
  for (const directory of [layout.root, layout.blobs, layout.runs, layout.quarantine]) {
    for (const name of fs.readdir(directory)) {
      if (name.endsWith(TEMPORARY_SUFFIX)) discard(fs, join(directory, name));
    }
  }
}
