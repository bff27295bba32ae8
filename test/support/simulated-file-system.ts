import { basename, dirname } from '../../src/lib/files/absolute-paths.ts';
import type { FileInfo } from '../../src/lib/files/file-system.ts';
import { fileSystemError, MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import type { MemoryDirectory, MemoryNode } from '../../src/lib/files/memory-nodes.ts';
import { newDirectory } from '../../src/lib/files/memory-nodes.ts';
import { readOpenFlags } from '../../src/lib/files/open-flags.ts';
import { type NameChange, type PowerLoss, SimulatedDisk } from './simulated-disk.ts';

/** The process is dead: thrown by the operation that did not happen and by every later one. */
export class SimulatedKill extends Error {
  override readonly name = 'SimulatedKill';
}

/** Operations are numbered from 0 in the order they are asked for; see `operations`. */
export type Fault =
  /** Dies before operation `at`. */
  | { readonly kind: 'kill'; readonly at: number }
  /** Dies in the write `at` after this many bytes of it. */
  | { readonly kind: 'kill_in_write'; readonly at: number; readonly bytes: number }
  /** Operation `at` alone finds no space. */
  | { readonly kind: 'full_once'; readonly at: number }
  /** The write `at` fits half; from there on there is no byte left but what is freed. */
  | { readonly kind: 'full'; readonly at: number }
  | { readonly kind: 'io_error'; readonly at: number }
  /** No write takes more than this many bytes. */
  | { readonly kind: 'short_writes'; readonly most: number };

export interface Operation {
  readonly name: string;
  /** False for operations that only look: dying before them changes nothing. */
  readonly isEffect: boolean;
  /** Bytes of a write. */
  readonly bytes: number;
}

export interface SimulationOptions {
  readonly platform?: NodeJS.Platform;
  readonly now?: () => number;
  readonly fault?: Fault | undefined;
}

const NEEDS_SPACE = new Set(['create', 'write', 'mkdir', 'link', 'fsync', 'fdatasync']);

/**
 * A disk that forgets what was not synced, and fails where it is told to. Live bytes are what the
 * running system sees; `SimulatedDisk` keeps what would survive.
 */
export class SimulatedFileSystem extends MemoryFileSystem {
  readonly operations: Operation[] = [];
  readonly #options: SimulationOptions;
  readonly #disk: SimulatedDisk;
  readonly #fault: Fault | undefined;
  #isDead = false;
  #freed = 0;

  constructor(options: SimulationOptions = {}, disk = new SimulatedDisk(newDirectory(0o755, 0))) {
    super({ ...options, root: disk.root });
    this.#options = options;
    this.#disk = disk;
    this.#fault = options.fault;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** The same machine with a new process: everything written is there, handles are not. */
  afterKill(fault?: Fault): SimulatedFileSystem {
    return new SimulatedFileSystem({ ...this.#options, fault }, this.#disk);
  }

  /** The machine after a power loss at this moment. */
  afterPowerLoss(loss: PowerLoss, fault?: Fault): SimulatedFileSystem {
    const disk = new SimulatedDisk(this.#disk.afterPowerLoss(loss));
    return new SimulatedFileSystem({ ...this.#options, fault }, disk);
  }

  /** Whether a power loss in this instant would leave the file as it is now. */
  isDurable(path: string): boolean {
    const folder = super.nodeAt(dirname(path));
    return folder?.kind === 'directory' && this.#disk.isDurable(folder, basename(path));
  }

  #step(name: string, isEffect: boolean, bytes = 0): void {
    const fault = this.#fault;
    if (this.#isDead) throw new SimulatedKill(name);
    const index = this.operations.push({ name, isEffect, bytes }) - 1;
    if (fault?.kind === 'kill' && fault.at === index) this.#die(name);
    if (fault?.kind === 'io_error' && fault.at === index) throw fileSystemError('EIO', name, index);
    if (fault?.kind === 'full_once' && fault.at === index && NEEDS_SPACE.has(name)) {
      throw fileSystemError('ENOSPC', name, index);
    }
  }

  #die(name: string): never {
    this.#isDead = true;
    throw new SimulatedKill(name);
  }

  #directory(path: string): MemoryDirectory {
    const node = super.nodeAt(dirname(path));
    if (node?.kind !== 'directory') throw fileSystemError('ENOENT', 'open', path);
    return node;
  }

  #change(...paths: readonly [string, MemoryNode | undefined][]): NameChange {
    return paths.map(([path, node]) => ({
      directory: this.#directory(path),
      name: path.slice(path.lastIndexOf('/') + 1),
      node,
    }));
  }

  #willChange(...paths: readonly string[]): void {
    for (const path of paths) this.#disk.willChange(super.nodeAt(dirname(path)));
  }

  /** Counts space, once the disk is full, that a name gives back when it was the last one of its file. */
  #released(node: MemoryNode | undefined): void {
    if (node?.kind === 'file' && node.links === 0) this.#freed += node.size;
  }

  override open(path: string, flags: string | number, mode?: number): number {
    const { creates, truncates } = readOpenFlags(flags, this.platform);
    const existing = super.nodeAt(path);
    const isNew = existing === undefined && creates;
    this.#step(isNew ? 'create' : 'open', isNew || truncates);
    if (isNew) this.#willChange(path);
    else this.#disk.willChange(existing);
    const fd = super.open(path, flags, mode);
    const node = super.nodeOf(fd);
    if (isNew) {
      this.#disk.created(node);
      this.#disk.named(this.#change([path, node]));
    } else if (truncates && node.kind === 'file') {
      this.#disk.truncated(node, 0);
    }
    return fd;
  }

  override read(fd: number, buffer: Uint8Array, position: number): number {
    this.#step('read', false);
    return super.read(fd, buffer, position);
  }

  override write(fd: number, buffer: Uint8Array, position: number): number {
    const index = this.operations.length;
    this.#step('write', true, buffer.length);
    const fault = this.#fault;
    if (fault?.kind === 'kill_in_write' && fault.at === index) {
      this.#put(fd, buffer.subarray(0, fault.bytes), position);
      this.#die('write');
    }
    const most = fault?.kind === 'short_writes' ? fault.most : buffer.length;
    return this.#put(
      fd,
      buffer.subarray(0, Math.min(most, this.#room(fd, buffer, position))),
      position,
    );
  }

  /** Bytes that the disk still takes; ENOSPC when it is none. */
  #room(fd: number, buffer: Uint8Array, position: number): number {
    const fault = this.#fault;
    const index = this.operations.length - 1;
    if (fault?.kind !== 'full' || index < fault.at) return buffer.length;
    if (index === fault.at) this.#freed = Math.floor(buffer.length / 2);
    const overwritten = Math.max(0, super.size(fd) - position);
    const room = Math.min(buffer.length, overwritten + this.#freed);
    if (room === 0) throw fileSystemError('ENOSPC', 'write', fd);
    this.#freed -= Math.max(0, room - overwritten);
    return room;
  }

  #put(fd: number, bytes: Uint8Array, position: number): number {
    const node = super.nodeOf(fd);
    this.#disk.willChange(node);
    const written = super.write(fd, bytes, position);
    if (node.kind === 'file') this.#disk.wrote(node, bytes, position);
    return written;
  }

  override fsync(fd: number): void {
    this.#sync('fsync', fd);
  }

  override fdatasync(fd: number): void {
    this.#sync('fdatasync', fd);
  }

  #sync(name: string, fd: number): void {
    try {
      this.#step(name, true);
    } catch (error) {
      if (!(error instanceof SimulatedKill)) this.#disk.forget(super.nodeOf(fd));
      throw error;
    }
    super.fsync(fd);
    this.#disk.sync(super.nodeOf(fd));
  }

  override ftruncate(fd: number, length: number): void {
    this.#step('ftruncate', true);
    const node = super.nodeOf(fd);
    this.#disk.willChange(node);
    this.#freed += Math.max(0, super.size(fd) - length);
    super.ftruncate(fd, length);
    if (node.kind === 'file') this.#disk.truncated(node, length);
  }

  override fchmod(fd: number, mode: number): void {
    this.#step('fchmod', true);
    super.fchmod(fd, mode);
  }

  override size(fd: number): number {
    this.#step('size', false);
    return super.size(fd);
  }

  override lstat(path: string): FileInfo {
    this.#step('lstat', false);
    return super.lstat(path);
  }

  override rename(from: string, to: string): void {
    this.#step('rename', true);
    this.#willChange(from, to);
    const [node, replaced] = [super.nodeAt(from), super.nodeAt(to)];
    super.rename(from, to);
    this.#released(replaced);
    this.#disk.named(this.#change([from, undefined], [to, node]));
  }

  override link(existing: string, created: string): void {
    this.#step('link', true);
    this.#willChange(created);
    super.link(existing, created);
    this.#disk.named(this.#change([created, super.nodeAt(created)]));
  }

  override unlink(path: string): void {
    this.#step('unlink', true);
    this.#willChange(path);
    const node = super.nodeAt(path);
    super.unlink(path);
    this.#released(node);
    this.#disk.named(this.#change([path, undefined]));
  }

  override mkdir(path: string, mode?: number): void {
    this.#step('mkdir', true);
    this.#willChange(path);
    super.mkdir(path, mode);
    const node = super.nodeAt(path);
    if (node === undefined) return;
    this.#disk.created(node);
    this.#disk.named(this.#change([path, node]));
  }

  override rmdir(path: string): void {
    this.#step('rmdir', true);
    this.#willChange(path);
    super.rmdir(path);
    this.#disk.named(this.#change([path, undefined]));
  }

  override readdir(path: string): string[] {
    this.#step('readdir', false);
    return super.readdir(path);
  }
}
