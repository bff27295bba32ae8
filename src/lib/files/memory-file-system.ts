/**
 * A file system in memory, for runs that must leave no files and for tests. Owns its tree and its handles.
 * Errors have the codes of the real one. There are no symbolic links.
 */
import type { FileIdentity, FileInfo, FileSystem } from './file-system.ts';
import {
  type DirectoryEntry,
  type MemoryDirectory,
  type MemoryNode,
  newDirectory,
  newFile,
  truncateTo,
  writeInto,
} from './memory-nodes.ts';
import { readOpenFlags } from './open-flags.ts';

export interface MemoryOptions {
  readonly platform?: NodeJS.Platform;
  /** For modification times, ms since 1970. */
  readonly now?: () => number;
  /** The initial tree, which this file system takes over. */
  readonly root?: MemoryDirectory;
}

interface Handle {
  readonly node: MemoryNode;
  readonly writes: boolean;
  readonly isExclusive: boolean;
}

/** Missing files are looked up all the time, so no stack is recorded. */
export function fileSystemError(code: string, operation: string, path: string | number): Error {
  const { stackTraceLimit } = Error;
  // Does not throw if the property cannot be set.
  Reflect.set(Error, 'stackTraceLimit', 0);
  const error = new Error(`${code}: ${operation} '${path}'`);
  Reflect.set(Error, 'stackTraceLimit', stackTraceLimit);
  return Object.assign(error, { code });
}

export class MemoryFileSystem implements FileSystem {
  readonly platform: NodeJS.Platform;
  readonly root: MemoryDirectory;
  readonly #now: () => number;
  readonly #handles = new Map<number, Handle>();
  readonly #inodes = new WeakMap<MemoryNode, bigint>();
  #nextHandle = 3;
  #nextInode = 1n;

  constructor({ platform = 'linux', now = () => 0, root }: MemoryOptions = {}) {
    this.platform = platform;
    this.#now = now;
    this.root = root ?? newDirectory(0o755, now());
  }

  open(path: string, flags: string | number, mode = 0o666): number {
    const { writes, creates, isNew, truncates, isExclusive } = readOpenFlags(flags, this.platform);
    const place = this.#place('open', path);
    let { node } = place;
    if (node === undefined) {
      if (!creates) throw fileSystemError('ENOENT', 'open', path);
      node = newFile(mode, this.#now());
      this.#attach(place, node);
    } else if (isNew) {
      throw fileSystemError('EEXIST', 'open', path);
    }
    if (node.kind === 'directory' && (writes || this.platform === 'win32'))
      throw fileSystemError('EISDIR', 'open', path);
    const others = [...this.#handles.values()].filter((handle) => handle.node === node);
    if (others.some((other) => isExclusive || other.isExclusive))
      throw fileSystemError('EBUSY', 'open', path);
    if (truncates && node.kind === 'file') {
      truncateTo(node, 0);
      this.#count(node);
    }
    const fd = this.#nextHandle++;
    this.#handles.set(fd, { node, writes, isExclusive });
    return fd;
  }

  close(fd: number): void {
    if (!this.#handles.delete(fd)) throw fileSystemError('EBADF', 'close', fd);
  }

  read(fd: number, buffer: Uint8Array, position: number): number {
    const node = this.#file(fd, 'read');
    const part = node.bytes.subarray(position, Math.min(node.size, position + buffer.length));
    buffer.set(part);
    return part.length;
  }

  write(fd: number, buffer: Uint8Array, position: number): number {
    const node = this.#writableFile(fd, 'write');
    writeInto(node, buffer, position);
    node.mtimeMs = this.#now();
    this.#count(node);
    return buffer.length;
  }

  fsync(fd: number): void {
    const { writes } = this.#handle(fd, 'fsync');
    if (this.platform === 'win32' && !writes) throw fileSystemError('EPERM', 'fsync', fd);
  }

  fdatasync(fd: number): void {
    this.fsync(fd);
  }

  ftruncate(fd: number, length: number): void {
    const node = this.#writableFile(fd, 'ftruncate');
    truncateTo(node, length);
    this.#count(node);
  }

  fchmod(fd: number, mode: number): void {
    const { node } = this.#handle(fd, 'fchmod');
    node.mode = mode;
    this.#count(node);
  }

  size(fd: number): number {
    const { node } = this.#handle(fd, 'fstat');
    return node.kind === 'file' ? node.size : 0;
  }

  identify(fd: number): FileIdentity {
    return this.#identityOf(this.#handle(fd, 'fstat').node);
  }

  identifyAt(path: string): FileIdentity & { readonly size: number } {
    const { size } = this.stat(path);
    const node = this.nodeAt(path);
    if (node === undefined) throw fileSystemError('ENOENT', 'stat', path);
    return { ...this.#identityOf(node), size };
  }

  #identityOf(node: MemoryNode): FileIdentity {
    const inode = this.#inodes.get(node) ?? this.#nextInode++;
    this.#inodes.set(node, inode);
    return { device: 1n, inode };
  }

  lstat(path: string): FileInfo {
    const node = this.nodeAt(path);
    if (node === undefined) throw fileSystemError('ENOENT', 'stat', path);
    const { kind, mode, mtimeMs } = node;
    if (node.kind !== 'file') return { kind, size: 0, mode, mtimeMs, links: 1 };
    const { size, links, change } = node;
    return { kind, size, mode, mtimeMs, links, changedMs: change };
  }

  stat(path: string): FileInfo {
    return this.lstat(path);
  }

  realpath(path: string): string {
    this.lstat(path);
    const separator = this.platform === 'win32' ? '\\' : '/';
    const start = this.platform === 'win32' ? '' : '/';
    return `${start}${this.#names(path).join(separator)}`;
  }

  rename(from: string, to: string): void {
    const source = this.#place('rename', from);
    const target = this.#place('rename', to);
    const { node } = source;
    if (node === undefined) throw fileSystemError('ENOENT', 'rename', from);
    if (target.node === node) return;
    if (target.node?.kind === 'directory') {
      if (node.kind !== 'directory') throw fileSystemError('EISDIR', 'rename', to);
      if (target.node.entries.size > 0) throw fileSystemError('ENOTEMPTY', 'rename', to);
    } else if (target.node !== undefined && node.kind === 'directory') {
      throw fileSystemError('ENOTDIR', 'rename', to);
    }
    this.#detach(target);
    this.#detach(source);
    this.#attach(target, node);
  }

  link(existing: string, created: string): void {
    const { node } = this.#place('link', existing);
    const target = this.#place('link', created);
    if (node === undefined) throw fileSystemError('ENOENT', 'link', existing);
    if (node.kind === 'directory') throw fileSystemError('EPERM', 'link', existing);
    if (target.node !== undefined) throw fileSystemError('EEXIST', 'link', created);
    this.#attach(target, node);
  }

  unlink(path: string): void {
    const place = this.#place('unlink', path);
    if (place.node === undefined) throw fileSystemError('ENOENT', 'unlink', path);
    if (place.node.kind === 'directory') throw fileSystemError('EISDIR', 'unlink', path);
    this.#detach(place);
  }

  mkdir(path: string, mode = 0o777): void {
    const place = this.#place('mkdir', path);
    if (place.node !== undefined) throw fileSystemError('EEXIST', 'mkdir', path);
    this.#attach(place, newDirectory(mode, this.#now()));
  }

  rmdir(path: string): void {
    const place = this.#place('rmdir', path);
    if (place.node === undefined) throw fileSystemError('ENOENT', 'rmdir', path);
    if (place.node.kind !== 'directory') throw fileSystemError('ENOTDIR', 'rmdir', path);
    if (place.node.entries.size > 0) throw fileSystemError('ENOTEMPTY', 'rmdir', path);
    this.#detach(place);
  }

  readdir(path: string): string[] {
    const node = this.nodeAt(path);
    if (node === undefined) throw fileSystemError('ENOENT', 'scandir', path);
    if (node.kind !== 'directory') throw fileSystemError('ENOTDIR', 'scandir', path);
    return [...node.entries.keys()].sort();
  }

  nodeAt(path: string): MemoryNode | undefined {
    return this.#names(path).length === 0 ? this.root : this.#place('stat', path).node;
  }

  /** The node that a handle is open on. */
  nodeOf(fd: number): MemoryNode {
    return this.#handle(fd, 'fstat').node;
  }

  #names(path: string): string[] {
    const names: string[] = [];
    for (const part of path.split(this.platform === 'win32' ? /[\\/]/ : '/')) {
      if (part === '..') names.pop();
      else if (part !== '' && part !== '.') names.push(part);
    }
    return names;
  }

  #place(operation: string, path: string): DirectoryEntry {
    const names = this.#names(path);
    const name = names.pop();
    // The root is in no directory; its empty name cannot be used by others.
    if (name === undefined) return { parent: this.root, name: '', node: this.root };
    let parent: MemoryDirectory = this.root;
    for (const each of names) {
      const next = this.#entry(parent, each);
      if (next === undefined) throw fileSystemError('ENOENT', operation, path);
      if (next.kind !== 'directory') throw fileSystemError('ENOTDIR', operation, path);
      parent = next;
    }
    return { parent, name, node: this.#entry(parent, name) };
  }

  /** An entry of a folder. On win32 every drive exists. */
  #entry({ entries }: MemoryDirectory, name: string): MemoryNode | undefined {
    const isDrive = this.platform === 'win32' && entries === this.root.entries;
    if (isDrive && !entries.has(name) && /^[A-Za-z]:$/.test(name))
      entries.set(name, newDirectory(0o755, this.#now()));
    return entries.get(name);
  }

  #attach({ parent, name }: DirectoryEntry, node: MemoryNode): void {
    parent.entries.set(name, node);
    if (node.kind === 'file') node.links += 1;
    this.#count(node);
  }

  #count(node: MemoryNode): void {
    this.root.changes += 1;
    if (node.kind === 'file') node.change = this.root.changes;
  }

  #detach({ parent, name, node }: DirectoryEntry): void {
    parent.entries.delete(name);
    if (node?.kind === 'file') node.links -= 1;
  }

  #handle(fd: number, operation: string): Handle {
    const handle = this.#handles.get(fd);
    if (handle === undefined) throw fileSystemError('EBADF', operation, fd);
    return handle;
  }

  #file(fd: number, operation: string) {
    const { node } = this.#handle(fd, operation);
    if (node.kind === 'directory') throw fileSystemError('EISDIR', operation, fd);
    return node;
  }

  #writableFile(fd: number, operation: string) {
    if (!this.#handle(fd, operation).writes) throw fileSystemError('EBADF', operation, fd);
    return this.#file(fd, operation);
  }
}

/** A disk in memory for tests, with the operations and errors of a real one. */
export const createMemoryFileSystem = (options?: MemoryOptions): MemoryFileSystem =>
  new MemoryFileSystem(options);
