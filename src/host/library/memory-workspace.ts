/** A folder in memory in which tests run goals. */
import { createMemoryFileSystem } from '../../lib/files/memory-file-system.ts';
import { type Machine, thisMachine } from '../../run/machine.ts';
import { readBytes } from '../../workspace/files.ts';
import { pathsOf } from '../../workspace/jail.ts';

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
  const fs = createMemoryFileSystem({ platform: real.fs.platform });
  const { dirname, join, parse } = pathsOf(fs.platform);
  const workspace = fs.platform === 'win32' ? 'C:\\workspace' : '/workspace';
  const folders = new Set<string>();
  const makeFolder = (path: string): void => {
    if (path === parse(path).root || folders.has(path)) return;
    makeFolder(dirname(path));
    fs.mkdir(path);
    folders.add(path);
  };
  const at = (path: string): string => join(workspace, ...path.split('/'));
  makeFolder(workspace);
  for (const [path, text] of Object.entries(files)) {
    makeFolder(dirname(at(path)));
    writeWhole(at(path), text);
  }
  function writeWhole(path: string, text: string): void {
    const fd = fs.open(path, 'w');
    fs.write(fd, Buffer.from(text), 0);
    fs.close(fd);
  }
  const read = (path: string): string | null => {
    try {
      return Buffer.from(readBytes(fs, at(path))).toString('utf8');
    } catch {
      return null;
    }
  };
  const placed: Omit<MemoryWorkspace, 'read'> = { workspace, machine: { ...real, fs } };
  // Not enumerable, so that spreading it into options adds no unknown option.
  return Object.defineProperty(placed, 'read', { value: read }) as MemoryWorkspace;
}
