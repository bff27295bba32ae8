/**
 * Journals in memory, for a workspace on the real disk.
 * 1. Nothing of a journal reaches the disk; what tools do to the workspace does.
 * 2. A journal belongs to the object that holds it: two runs in one folder know nothing of each other.
 * 3. The former files kept for an undo are bounded; beyond that a write is refused, not forgotten.
 */
import { layoutOf } from '../../journal/layout.ts';
import { dirname } from '../../lib/files/absolute-paths.ts';
import { keepingAtMost, MAX_MB } from '../../lib/files/bounded-file-system.ts';
import { ensureDirectory } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../lib/files/memory-file-system.ts';
import { overlaid } from '../../lib/files/overlay-file-system.ts';
import { checkQuery, wrong } from './checked-call.ts';

/** Where the journals of runs are kept: pass it to `runGoal` and to the functions that look at its runs. */
export interface JournalPort {
  /** The file system of a call, with its journals replaced. @param workspace as the call names it */
  over(files: FileSystem, workspace: string): FileSystem;
}

/** The limit of a journal in memory. */
export interface MemoryJournalOptions {
  /** Megabytes of files that are kept for an undo; left out: 256. */
  readonly mostMB?: number;
}

/** A place for journals in memory, which lasts as long as it is referenced. Throws E_USAGE. */
export function memoryJournal(options: MemoryJournalOptions = {}): JournalPort {
  checkQuery('memoryJournal', options, { mostMB: true });
  const { mostMB = MAX_MB } = options;
  if (!(mostMB > 0)) throw wrong('mostMB', 'a number above 0');
  const byRoot = new Map<string, FileSystem>();
  return {
    over: (files, workspace) => {
      const { root, blobs } = layoutOf(files.realpath(workspace));
      let kept = byRoot.get(root);
      if (kept === undefined) {
        const memory = createMemoryFileSystem({ platform: files.platform });
        kept = keepingAtMost(mostMB, memory, (path) => path.startsWith(blobs));
        ensureDirectory(kept, dirname(root));
        byRoot.set(root, kept);
      }
      return overlaid(files, kept, root);
    },
  };
}
