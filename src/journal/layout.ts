/** Where everything lies below `.agent_context/`, and making it. */
import { dirname, join } from 'node:path';
import {
  discard,
  ensureDirectory,
  errorCode,
  kindOf,
  replaceFile,
  storageError,
  syncDirectory,
  TEMPORARY_SUFFIX,
} from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { refuseLinks } from './no-links.ts';

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
  };
}

const NOT_USABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);

/**
 * Makes what is missing and syncs the names of what is there: a start that was cut off may have
 * left directories that no power loss would have survived. Throws E_WORKSPACE when the workspace
 * cannot hold a state directory, E_DISK_FULL, E_IO.
 */
export function prepareLayout(fs: FileSystem, layout: Layout): void {
  refuseLinks(fs, layout);
  try {
    ensureDirectory(fs, layout.root);
    for (const path of [layout.blobs, layout.runs, layout.lock, layout.quarantine]) {
      ensureDirectory(fs, path);
    }
    const ignore = join(layout.root, '.gitignore');
    if (kindOf(fs, ignore) === null) replaceFile(fs, ignore, Buffer.from('*\n'));
    syncDirectory(fs, layout.root);
    syncDirectory(fs, dirname(layout.root));
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

/** Removes half-written files that a crash left; they were never part of anything. */
export function sweepTemporaries(fs: FileSystem, layout: Layout): void {
  for (const directory of [layout.root, layout.blobs, layout.runs, layout.quarantine]) {
    for (const name of fs.readdir(directory)) {
      if (name.endsWith(TEMPORARY_SUFFIX)) discard(fs, join(directory, name));
    }
  }
}
