import { crc32 } from 'node:zlib';
import type { FileSystem } from '../../src/lib/file-system.ts';
import type { SimulatedFileSystem } from '../support/simulated-file-system.ts';
import type { PlantedBug, SeededBug } from './contract.ts';

/** The file system with some operations replaced. */
function altered(
  fs: SimulatedFileSystem,
  change: (real: FileSystem, pathOf: (fd: number) => string) => Partial<FileSystem>,
): FileSystem {
  const paths = new Map<number, string>();
  const real: FileSystem = {
    platform: fs.platform,
    open: (path, flags, mode) => {
      const fd = fs.open(path, flags, mode);
      paths.set(fd, path);
      return fd;
    },
    close: (fd) => fs.close(fd),
    read: (fd, buffer, position) => fs.read(fd, buffer, position),
    write: (fd, buffer, position) => fs.write(fd, buffer, position),
    fsync: (fd) => fs.fsync(fd),
    fdatasync: (fd) => fs.fdatasync(fd),
    ftruncate: (fd, length) => fs.ftruncate(fd, length),
    fchmod: (fd, mode) => fs.fchmod(fd, mode),
    size: (fd) => fs.size(fd),
    lstat: (path) => fs.lstat(path),
    stat: (path) => fs.stat(path),
    realpath: (path) => fs.realpath(path),
    rename: (from, to) => fs.rename(from, to),
    link: (existing, created) => fs.link(existing, created),
    unlink: (path) => fs.unlink(path),
    mkdir: (path, mode) => fs.mkdir(path, mode),
    rmdir: (path) => fs.rmdir(path),
    readdir: (path) => fs.readdir(path),
  };
  return { ...real, ...change(real, (fd) => paths.get(fd) ?? '') };
}

/** Bytes as they are read, changed before anybody looks at them. */
function readingThrough(file: string, change: (bytes: Buffer) => Buffer): SeededBug {
  return (fs) =>
    altered(fs, (real, pathOf) => ({
      read: (fd, buffer, position) => {
        if (!pathOf(fd).endsWith(file)) return real.read(fd, buffer, position);
        const whole = Buffer.alloc(real.size(fd));
        real.read(fd, whole, 0);
        const part = change(whole).subarray(position, position + buffer.length);
        buffer.set(part);
        return part.length;
      },
    }));
}

const hex = (checksum: number): string => checksum.toString(16).padStart(8, '0');

/** Makes the checksum of a snapshot right whatever it holds: as if nobody looked at it. */
function blessSnapshot(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(',\n  "c": "');
  if (end < 0) return bytes;
  const blessed = Buffer.from(bytes);
  blessed.write(hex(crc32(bytes.subarray(0, end))), end + ',\n  "c": "'.length, 'latin1');
  return blessed;
}

function blessJournal(bytes: Buffer): Buffer {
  const blessed = Buffer.from(bytes);
  let previous = 0;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, start)) {
    const body = end - ',"c":"00000000"}'.length;
    if (body > start) {
      previous = crc32(bytes.subarray(start, body), previous);
      blessed.write(hex(previous), body + ',"c":"'.length, 'latin1');
    }
    start = end + 1;
  }
  return blessed;
}

const isDirectory = (path: string): boolean =>
  !/\.(jsonl|json|tmp|\d+)$|\/[0-9a-f]{64}$/.test(path);

const BUGS: { readonly [what: string]: SeededBug } = {
  'no fdatasync after an append': (fs) => altered(fs, () => ({ fdatasync: () => {} })),
  'no fsync of a file before its rename': (fs) =>
    altered(fs, (real, pathOf) => ({
      fsync: (fd) => {
        if (!pathOf(fd).endsWith('.tmp')) real.fsync(fd);
      },
    })),
  'no fsync of directories': (fs) =>
    altered(fs, (real, pathOf) => ({
      fsync: (fd) => {
        if (!isDirectory(pathOf(fd))) real.fsync(fd);
      },
    })),
  'no fsync of the directory of blobs': (fs) =>
    altered(fs, (real, pathOf) => ({
      fsync: (fd) => {
        if (!pathOf(fd).endsWith('/blobs')) real.fsync(fd);
      },
    })),
  'no fsync of what recovery has read': (fs) =>
    altered(fs, (real, pathOf) => ({
      fsync: (fd) => {
        if (!pathOf(fd).endsWith('history.jsonl')) real.fsync(fd);
      },
    })),
  'nothing taken back after a failed write': (fs) => altered(fs, () => ({ ftruncate: () => {} })),
  'appending after a torn line': (fs) =>
    altered(fs, (real, pathOf) => {
      const torn = new Map<number, number>();
      const shift = (fd: number) => torn.get(fd) ?? 0;
      return {
        ftruncate: (fd, length) => void torn.set(fd, real.size(fd) - length),
        size: (fd) => real.size(fd) - shift(fd),
        write: (fd, buffer, position) =>
          real.write(fd, buffer, position + (pathOf(fd).endsWith('.jsonl') ? shift(fd) : 0)),
      };
    }),
  'short writes taken for whole ones': (fs) =>
    altered(fs, (real) => ({
      write: (fd, buffer, position) => {
        real.write(fd, buffer, position);
        return buffer.length;
      },
    })),
  'a failed sync tried again': (fs) =>
    altered(fs, (real) => ({
      fdatasync: (fd) => {
        try {
          real.fdatasync(fd);
        } catch (error) {
          if ((error as { code?: string }).code !== 'EIO') throw error;
          real.fdatasync(fd);
        }
      },
    })),
  'files written in place instead of renamed': (fs) =>
    altered(fs, (real) => ({
      rename: (from, to) => {
        if (!from.startsWith(to)) return real.rename(from, to);
        const source = real.open(from, 'r');
        const bytes = Buffer.alloc(real.size(source));
        real.read(source, bytes, 0);
        real.close(source);
        const target = real.open(to, 'w');
        real.write(target, bytes, 0);
        real.fsync(target);
        real.close(target);
        real.unlink(from);
      },
    })),
  'a snapshot without a checksum': readingThrough('state.json', blessSnapshot),
  'a journal without checksums': readingThrough('history.jsonl', blessJournal),
};

const POWER_LOSS = 'power loss before an operation';

const SHOWN_BY: { readonly [what: string]: string } = {
  'no fsync of what recovery has read': 'power loss inside a recovery',
  'nothing taken back after a failed write': 'disk full from then on',
  'appending after a torn line': 'kill inside a write',
  'short writes taken for whole ones': 'short writes',
  'a failed sync tried again': 'I/O error, then power loss',
  'files written in place instead of renamed': 'kill before an operation',
  'a snapshot without a checksum': 'a flipped or cut snapshot',
  'a journal without checksums': 'a flipped byte in the journal',
};

/** Bugs that storage code has really had, each of which must be caught. */
export const SEEDED_BUGS: { readonly [what: string]: PlantedBug } = Object.fromEntries(
  Object.entries(BUGS).map(([what, bug]) => [what, { bug, shownBy: SHOWN_BY[what] ?? POWER_LOSS }]),
);
