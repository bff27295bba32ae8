/** The tree behind a file system in memory: plain nodes, no handles. */
export interface MemoryFile {
  readonly kind: 'file';
  /** Has room for more than `size` bytes, so that appending stays cheap. */
  bytes: Uint8Array;
  size: number;
  mode: number;
  mtimeMs: number;
  /** The number of the latest change in the whole tree, so that a clock that stands still hides no change. */
  change: number;
  links: number;
}

export interface MemoryDirectory {
  readonly kind: 'directory';
  readonly entries: Map<string, MemoryNode>;
  mode: number;
  mtimeMs: number;
  /** How many changes the tree below this root has had. */
  changes: number;
}

export type MemoryNode = MemoryFile | MemoryDirectory;

export const newFile = (mode: number, mtimeMs: number): MemoryFile => ({
  kind: 'file',
  bytes: new Uint8Array(0),
  size: 0,
  mode,
  mtimeMs,
  change: 0,
  links: 0,
});

export const newDirectory = (mode: number, mtimeMs: number): MemoryDirectory => ({
  kind: 'directory',
  entries: new Map(),
  mode,
  mtimeMs,
  changes: 0,
});

/** The result of following a path: its directory, its last name, and the node there. */
export interface DirectoryEntry {
  readonly parent: MemoryDirectory;
  readonly name: string;
  readonly node: MemoryNode | undefined;
}

/** Writes into a file; a gap between its old end and `position` is filled with NULs. */
export function writeInto(file: MemoryFile, bytes: Uint8Array, position: number): void {
  const end = position + bytes.length;
  if (end > file.bytes.length) {
    const grown = new Uint8Array(Math.max(end, file.bytes.length * 2));
    grown.set(file.bytes.subarray(0, file.size));
    file.bytes = grown;
  }
  file.bytes.set(bytes, position);
  file.size = Math.max(file.size, end);
}

export function truncateTo(file: MemoryFile, length: number): void {
  if (length > file.size) {
    writeInto(file, new Uint8Array(length - file.size), file.size);
  } else {
    file.bytes.fill(0, length, file.size);
    file.size = length;
  }
}
