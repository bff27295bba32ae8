import { expect, test } from 'vitest';
import { type FileEnd, inspectOwnFile, type Sight } from '../../src/journal/removed/own-file.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';

/** A disk of one name: what it leads to, and what the handle of the journal (1) holds. */
interface Disk {
  readonly inode?: number | null;
  readonly text?: string;
  readonly own?: string;
  readonly code?: string;
}

const LINE = '{"seq":1,"crc":"abcdef01"}\n';
const END: FileEnd = { size: LINE.length, chain: 'abcdef01' };

function look(
  { inode = 7, text = LINE, own = text, code }: Disk,
  kind: 'file' | 'fifo' = 'file',
): Sight {
  const textOf = (fd: number): string => (fd === 1 ? own : text);
  const fs = {
    stat: () => {
      if (code !== undefined) throw Object.assign(new Error(code), { code, syscall: 'stat' });
      return { kind };
    },
    open: () => 2,
    close: () => {},
    size: (fd: number) => textOf(fd).length,
    read: (fd: number, into: Uint8Array, position: number) => {
      const piece = Buffer.from(textOf(fd)).subarray(position, position + into.length);
      into.set(piece);
      return piece.length;
    },
    identify: (fd: number) =>
      inode === null ? null : { device: 1n, inode: BigInt(fd === 1 ? 7 : inode) },
  } as unknown as FileSystem;
  return inspectOwnFile(fs, 'history.jsonl', 1, END);
}

const OTHER = `${LINE}more`;

test.each<[string, Disk, Sight]>([
  ['the file that is written to', {}, { kind: 'ours' }],
  ['the same with more in it', { text: OTHER }, { kind: 'written', size: OTHER.length }],
  [
    'the same, as its name does not show it yet',
    { own: OTHER },
    { kind: 'written', size: OTHER.length },
  ],
  ['another file with the same end', { inode: 8 }, { kind: 'replaced', isCopy: true }],
  [
    'another file',
    { inode: 8, text: 'x'.repeat(LINE.length), own: LINE },
    { kind: 'replaced', isCopy: false },
  ],
  ['a file that cannot be told apart, with the same end', { inode: null }, { kind: 'ours' }],
  [
    'one with another end',
    { inode: null, text: OTHER, own: LINE },
    { kind: 'replaced', isCopy: false },
  ],
  ['nothing', { code: 'ENOENT' }, { kind: 'removed' }],
  ['too few handles to look', { code: 'EMFILE' }, { kind: 'unknown' }],
  ['a folder that may not be entered', { code: 'EACCES' }, { kind: 'hidden', code: 'EACCES' }],
])('behind the name of the journal there is %s', (_what, disk, sight) => {
  expect(look(disk)).toEqual(sight);
});

test('a pipe in its place is not opened, which would wait for ever', () => {
  expect(look({}, 'fifo')).toEqual({ kind: 'replaced', isCopy: false });
});
