/** A small machine in memory with everything in it that an answer may be after, links included. */
import path from 'node:path';
import type { FileInfo, FileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { fileSystemError, MemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import type { MemoryDirectory } from '../../../src/lib/files/memory-nodes.ts';
import { sha256 } from '../../../src/lib/sha256.ts';

export type Platform = 'linux' | 'win32';

/** Of the workspace, as an answer would name them. */
const FILES: { readonly [path: string]: string } = {
  'a.txt': 'one\ntwo\none\n',
  'b.txt': 'nobody has read this\n',
  'sub/c.txt': 'see\n',
  'data.json': '{"a": 1}\n',
  'in.bin': 'a\0b',
  '.git/config': '[core]\n',
  '.agent_context/history.jsonl': '{}\n',
};
const READ = ['a.txt', 'sub/c.txt', 'data.json'];

export interface World {
  readonly fs: FileSystem;
  readonly workspace: string;
  known(path: string): string | null | undefined;
  /** Every file of the machine with its content, by its path with `/`. */
  files(): { readonly [path: string]: string };
}

export function makeWorld(platform: Platform): World {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  const root = platform === 'win32' ? 'C:\\' : '/';
  const workspace = paths.join(root, 'work');
  const outside = paths.join(root, 'outside');
  const memory = new MemoryFileSystem({ platform });
  const make = (file: string, content: string): void => {
    const parts = file.split(paths.sep);
    for (let count = 1; count < parts.length; count += 1) {
      const folder = parts.slice(0, count).join(paths.sep);
      if (folder !== '' && memory.nodeAt(folder) === undefined) memory.mkdir(folder);
    }
    const fd = memory.open(file, 'wx');
    memory.write(fd, Buffer.from(content), 0);
    memory.close(fd);
  };
  for (const [file, content] of Object.entries(FILES))
    make(paths.join(workspace, ...file.split('/')), content);
  make(paths.join(outside, 'secret.txt'), 'secret\n');
  const links = new Map([
    [paths.join(workspace, 'way-out'), outside],
    [paths.join(workspace, 'secret-link'), paths.join(outside, 'secret.txt')],
    [paths.join(workspace, 'nowhere'), paths.join(root, 'not', 'there')],
    [paths.join(workspace, 'inside'), paths.join(workspace, 'sub')],
    [paths.join(workspace, 'git-link'), paths.join(workspace, '.git')],
    [paths.join(workspace, 'state-link'), paths.join(workspace, '.agent_context')],
  ]);
  const odd = new Map<string, Partial<FileInfo>>([
    [paths.join(workspace, 'pipe'), { kind: 'other', size: 0 }],
    [paths.join(workspace, 'huge.bin'), { kind: 'file', size: 5_000_000_000 }],
  ]);
  return {
    fs: withOddities(memory, links, odd),
    workspace,
    known: (file) => (READ.includes(file) ? sha256(FILES[file] ?? '') : undefined),
    files: () => contents(memory.root, ''),
  };
}

/** Links as the system follows them, a pipe that must not be opened, a file that must not be read. */
function withOddities(
  memory: MemoryFileSystem,
  links: ReadonlyMap<string, string>,
  odd: ReadonlyMap<string, Partial<FileInfo>>,
): FileSystem {
  const real = (given: string): string => {
    for (const [link, target] of links)
      if (given === link || given.startsWith(link + (memory.platform === 'win32' ? '\\' : '/')))
        return real(target + given.slice(link.length));
    return given;
  };
  const infoAt = (given: string, info: () => FileInfo): FileInfo => {
    const strange = odd.get(given);
    if (strange === undefined) return info();
    return { ...memory.stat(memory.platform === 'win32' ? 'C:\\' : '/'), ...strange };
  };
  return {
    ...delegating(memory),
    open: (given, flags, mode) => {
      if (odd.has(given)) throw new Error(`${given} was opened`);
      return memory.open(real(given), flags, mode);
    },
    lstat: (given) => {
      if (links.has(given)) return { ...memory.lstat(real('/')), kind: 'symlink' };
      return infoAt(given, () => memory.lstat(real(given)));
    },
    stat: (given) => infoAt(given, () => memory.stat(real(given))),
    realpath: (given) => {
      if (memory.nodeAt(real(given)) === undefined && !odd.has(given))
        throw fileSystemError('ENOENT', 'realpath', given);
      return odd.has(given) ? given : memory.realpath(real(given));
    },
  };
}

function contents(folder: MemoryDirectory, at: string): { [path: string]: string } {
  return Object.fromEntries(
    [...folder.entries].flatMap(([name, node]) =>
      node.kind === 'directory'
        ? Object.entries(contents(node, `${at}/${name}`))
        : [[`${at}/${name}`, Buffer.from(node.bytes.subarray(0, node.size)).toString('utf8')]],
    ),
  );
}
