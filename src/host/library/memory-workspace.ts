/** A folder in memory in which tests run goals. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory, writeWholeFile } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { createMemoryFileSystem } from '../../lib/files/memory-file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import { type Machine, thisMachine } from '../../run/machine.ts';
import { readBytes } from '../../workspace/files.ts';

/** May be spread into the options of a call. */
export interface MemoryWorkspace {
  readonly workspace: string;
  readonly machine: Machine;
  /** The text of a file; `null`: there is none. @param path relative to the workspace, with `/` */
  read(path: string): string | null;
}

/**
 * A folder with these files, on a disk in memory. Time and programs are real, and programs see the real disk: only
 * tools that start no program see this folder.
 * @param files texts by their paths, relative to the workspace, with `/`
 */
export function memoryWorkspace(files: { readonly [path: string]: string } = {}): MemoryWorkspace {
  const real = thisMachine();
  const { workspace, fs, read } = folderInMemory(files, real.fs.platform);
  const placed: Omit<MemoryWorkspace, 'read'> = { workspace, machine: { ...real, fs } };
  // Not enumerable, so that spreading it into options adds no unknown option.
  return Object.defineProperty(placed, 'read', { value: read }) as MemoryWorkspace;
}

/** The folder alone, with paths as the platform writes them. */
export function folderInMemory(
  files: { readonly [path: string]: string },
  platform: NodeJS.Platform,
): Pick<MemoryWorkspace, 'workspace' | 'read'> & { readonly fs: FileSystem } {
  const fs = createMemoryFileSystem({ platform });
  const { dirname, join } = pathsOf(platform);
  const workspace = platform === 'win32' ? 'C:\\workspace' : '/workspace';
  const at = (path: string): string => join(workspace, ...path.split('/'));
  ensureDirectory(fs, workspace);
  for (const [path, text] of Object.entries(files)) {
    ensureDirectory(fs, dirname(at(path)));
    writeWholeFile(fs, at(path), Buffer.from(text));
  }
  const read = (path: string): string | null =>
    orNull(() => Buffer.from(readBytes(fs, at(path))).toString('utf8'));
  return { workspace, fs, read };
}
