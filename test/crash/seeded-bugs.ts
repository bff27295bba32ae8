import {
  altered,
  blessJournal,
  blessSnapshot,
  readingThrough,
} from '../support/altered-file-system.ts';
import type { PlantedBug, SeededBug } from './contract.ts';

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

/** Where one is shown by few cases. */
const FROM: { readonly [what: string]: number } = {
  'no fsync of a file before its rename': 17,
  'nothing taken back after a failed write': 14,
  'a failed sync tried again': 35,
  // Only the beginning of a journal shows it: blobs and snapshots are compared before use.
  'files written in place instead of renamed': 70,
};

/** Bugs that storage code has really had, each of which must be caught. */
export const SEEDED_BUGS: { readonly [what: string]: PlantedBug } = Object.fromEntries(
  Object.entries(BUGS).map(([what, bug]) => {
    const shownBy = SHOWN_BY[what] ?? POWER_LOSS;
    return [what, { bug, shownBy, from: FROM[what] ?? 0 }];
  }),
);
