/**
 * Journals that leave no file, beside a workspace that is the real one.
 * 1. Nothing of it reaches the disk; what tools do to the workspace does.
 * 2. It is of the object that holds it, and of nobody else: two runs in one folder know nothing of each other.
 * 3. What it keeps of files for an undo is bounded; beyond that a write is refused, not forgotten.
 */
import { layoutOf } from '../../journal/layout.ts';
import { keepingAtMost, MOST_MB } from '../../lib/files/bounded-file-system.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../lib/files/memory-file-system.ts';
import { overlaid } from '../../lib/files/overlay-file-system.ts';
import { pathsOf } from '../../workspace/jail.ts';

/** Where the journals of runs are kept: given to `runGoal` and to what looks at its runs. */
export interface JournalPort {
  /** The file system of a call, its journals in their place. @param workspace as the call names it */
  over(files: FileSystem, workspace: string): FileSystem;
}

/** `mostMB`: how much of former files is kept for an undo; 256 where it is left out. */
export interface MemoryJournalOptions {
  /** Megabytes of files that are kept for an undo; left out: 256. */
  readonly mostMB?: number;
}

/** Keeps journals in memory, for as long as somebody holds it. */
export function memoryJournal({ mostMB = MOST_MB }: MemoryJournalOptions = {}): JournalPort {
  const byRoot = new Map<string, FileSystem>();
  return {
    over: (files, workspace) => {
      const { root, blobs } = layoutOf(files.realpath(workspace));
      let kept = byRoot.get(root);
      if (kept === undefined) {
        const memory = createMemoryFileSystem({ platform: files.platform });
        kept = keepingAtMost(mostMB, memory, (path) => path.startsWith(blobs));
        makeFolderAbove(kept, root);
        byRoot.set(root, kept);
      }
      return overlaid(files, kept, root);
    },
  };
}

function makeFolderAbove(fs: FileSystem, path: string): void {
  const { dirname, parse } = pathsOf(fs.platform);
  const above: string[] = [];
  for (let folder = dirname(path); folder !== parse(folder).root; folder = dirname(folder))
    above.unshift(folder);
  for (const folder of above) fs.mkdir(folder);
}
