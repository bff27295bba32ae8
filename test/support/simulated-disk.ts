import {
  type MemoryDirectory,
  type MemoryFile,
  type MemoryNode,
  newDirectory,
  newFile,
  truncateTo,
  writeInto,
} from '../../src/lib/files/memory-nodes.ts';

/**
 * What a power loss leaves of bytes that were written and not synced: of the pages that hold them
 * none, all, every second one, or all as NULs; or the file is only half as much longer.
 */
export const LOST_BYTES = ['none', 'all', 'torn', 'nul', 'even', 'odd'] as const;
/** What it leaves of names that were changed and whose directory was not synced. */
export const LOST_NAMES = ['none', 'all', 'half', 'last', 'odd'] as const;

export interface PowerLoss {
  /** Or which of the unsynced pages survive, counted from the first; the size is the new one. */
  readonly bytes: (typeof LOST_BYTES)[number] | ((page: number) => boolean);
  readonly names: (typeof LOST_NAMES)[number];
}

const PAGE_BYTES = 512;

type Write = { readonly position: number; readonly bytes: Uint8Array };
type Unsynced = Write | { readonly length: number };

/** One change of names, whole or not at all: a rename takes a name away and gives another. */
export type NameChange = readonly {
  readonly directory: MemoryDirectory;
  readonly name: string;
  readonly node: MemoryNode | undefined;
}[];

interface FileShadow {
  readonly durable: MemoryFile;
  unsynced: Unsynced[];
}

const copyOf = (file: MemoryFile): MemoryFile => ({
  ...file,
  bytes: file.bytes.slice(0, file.size),
});

/**
 * What is really on the disk below a tree of live nodes: file bytes as of their last sync, names
 * as of the last sync of their directory, and what is pending on top.
 */
export class SimulatedDisk {
  readonly #files = new Map<MemoryFile, FileShadow>();
  readonly #names = new Map<MemoryDirectory, Map<string, MemoryNode>>();
  #pending: NameChange[] = [];

  constructor(readonly root: MemoryDirectory) {}

  /** Called before the first change of a node that was there at boot, so it is durable as it is. */
  #shadow(file: MemoryFile): FileShadow {
    const known = this.#files.get(file) ?? { durable: copyOf(file), unsynced: [] };
    this.#files.set(file, known);
    return known;
  }

  #entries(directory: MemoryDirectory): Map<string, MemoryNode> {
    const known = this.#names.get(directory) ?? new Map(directory.entries);
    this.#names.set(directory, known);
    return known;
  }

  created(node: MemoryNode): void {
    if (node.kind === 'file') {
      this.#files.set(node, { durable: newFile(node.mode, node.mtimeMs), unsynced: [] });
    } else {
      this.#names.set(node, new Map());
    }
  }

  willChange(node: MemoryNode | undefined): void {
    if (node?.kind === 'file') this.#shadow(node);
    else if (node !== undefined) this.#entries(node);
  }

  wrote(file: MemoryFile, bytes: Uint8Array, position: number): void {
    this.#shadow(file).unsynced.push({ position, bytes: bytes.slice() });
  }

  truncated(file: MemoryFile, length: number): void {
    this.#shadow(file).unsynced.push({ length });
  }

  named(change: NameChange): void {
    this.#pending.push(change);
  }

  sync(node: MemoryNode): void {
    if (node.kind === 'file') {
      const shadow = this.#shadow(node);
      for (const each of shadow.unsynced) apply(shadow.durable, each);
      shadow.unsynced = [];
      return;
    }
    // A change in two directories is one; it takes with it what came before it in either.
    const touched = new Set([node]);
    const last = this.#pending.findLastIndex((change) => touches(change, touched));
    for (let index = last; index >= 0; index--) {
      const change = this.#pending[index]!;
      if (touches(change, touched)) for (const { directory } of change) touched.add(directory);
    }
    const isDue = (change: NameChange, index: number) => index <= last && touches(change, touched);
    for (const change of this.#pending.filter(isDue))
      this.#commit(change, (each) => this.#entries(each));
    this.#pending = this.#pending.filter((change, index) => !isDue(change, index));
  }

  /** After a failed sync the system forgets what it could not write and never tries it again. */
  forget(node: MemoryNode): void {
    if (node.kind === 'file') this.#shadow(node).unsynced = [];
  }

  /** The tree that is found after the power came back. */
  afterPowerLoss(loss: PowerLoss): MemoryDirectory {
    const names = new Map([...this.#names].map(([node, entries]) => [node, new Map(entries)]));
    const entriesOf = (directory: MemoryDirectory) => {
      const known = names.get(directory) ?? new Map(directory.entries);
      names.set(directory, known);
      return known;
    };
    for (const change of surviving(this.#pending, loss.names)) this.#commit(change, entriesOf);
    const copies = new Map<MemoryFile, MemoryFile>();
    const copyFile = (file: MemoryFile): MemoryFile => {
      const copy = copies.get(file) ?? this.#fileAfter(file, loss.bytes);
      copies.set(file, copy);
      copy.links += 1;
      return copy;
    };
    const copyDirectory = (directory: MemoryDirectory): MemoryDirectory => {
      const copy = newDirectory(directory.mode, directory.mtimeMs);
      for (const [name, node] of entriesOf(directory)) {
        copy.entries.set(name, node.kind === 'file' ? copyFile(node) : copyDirectory(node));
      }
      return copy;
    };
    return copyDirectory(this.root);
  }

  #commit(change: NameChange, entriesOf: (of: MemoryDirectory) => Map<string, MemoryNode>): void {
    for (const { directory, name, node } of change) {
      if (node === undefined) entriesOf(directory).delete(name);
      else entriesOf(directory).set(name, node);
    }
  }

  #fileAfter(file: MemoryFile, bytes: PowerLoss['bytes']): MemoryFile {
    const shadow = this.#files.get(file);
    if (shadow === undefined) return { ...copyOf(file), links: 0 };
    const { durable, unsynced } = shadow;
    if (bytes === 'none' || unsynced.length === 0) return { ...copyOf(durable), links: 0 };
    const found = { ...copyOf(file), links: 0 };
    if (bytes === 'torn') {
      truncateTo(found, durable.size + Math.ceil((file.size - durable.size) / 2));
      return found;
    }
    const survives = typeof bytes === 'function' ? bytes : SURVIVORS[bytes];
    for (const [index, page] of pagesOf(unsynced, file.size).entries()) {
      if (survives(index)) continue;
      const before = durable.bytes.subarray(page, Math.min(page + PAGE_BYTES, durable.size));
      const lost = new Uint8Array(Math.min(PAGE_BYTES, file.size - page));
      lost.set(before.subarray(0, lost.length));
      writeInto(found, lost, page);
    }
    return found;
  }

  /** Whether a file is on the disk as it is now, under the name that it has now. */
  isDurable(directory: MemoryDirectory, name: string): boolean {
    const file = directory.entries.get(name);
    if (file?.kind !== 'file' || this.#entries(directory).get(name) !== file) return false;
    return (this.#files.get(file)?.unsynced.length ?? 0) === 0;
  }
}

const SURVIVORS: {
  readonly [kind in Exclude<(typeof LOST_BYTES)[number], 'none' | 'torn'>]: (
    page: number,
  ) => boolean;
} = {
  all: () => true,
  nul: () => false,
  even: (page) => page % 2 === 0,
  odd: (page) => page % 2 === 1,
};

/** Where the pages begin that unsynced writes have touched. */
function pagesOf(changes: readonly Unsynced[], size: number): readonly number[] {
  const pages = new Set<number>();
  for (const change of changes) {
    const from = 'length' in change ? change.length : change.position;
    const to = 'length' in change ? size : change.position + change.bytes.length;
    for (let page = from - (from % PAGE_BYTES); page < Math.min(to, size); page += PAGE_BYTES)
      pages.add(page);
  }
  return [...pages].sort((one, other) => one - other);
}

function apply(file: MemoryFile, change: Unsynced): void {
  if ('length' in change) truncateTo(file, change.length);
  else writeInto(file, change.bytes, change.position);
}

const touches = (change: NameChange, directories: ReadonlySet<MemoryDirectory>): boolean =>
  change.some(({ directory }) => directories.has(directory));

function surviving(pending: readonly NameChange[], names: PowerLoss['names']): NameChange[] {
  switch (names) {
    case 'none':
      return [];
    case 'all':
      return [...pending];
    case 'half':
      return pending.slice(0, Math.ceil(pending.length / 2));
    case 'last':
      return pending.slice(-1);
    case 'odd':
      return pending.filter((_, index) => index % 2 === 1);
  }
}
