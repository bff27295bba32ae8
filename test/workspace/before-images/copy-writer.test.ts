import { describe, expect, it } from 'vitest';
import { createBlobStore } from '../../../src/journal/blobs/blobs.ts';
import type { FileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import { sha256 } from '../../../src/lib/sha256.ts';
import type { FileChange } from '../../../src/schema/actions.ts';
import type { RecordOf } from '../../../src/schema/records.ts';
import { CopyWriter } from '../../../src/workspace/before-images/copies.ts';
import {
  copiedContents,
  findCopies,
  readIndex,
} from '../../../src/workspace/before-images/copy-folder.ts';
import type { CopySizeLimits } from '../../../src/workspace/before-images/sweep-copies.ts';

const ROOT = '/data';
const WORKSPACE = '/w';
const IDENTITY = { host: 'here', boot: 'today', pidNamespace: '' };

/** A disk with a store of blobs, and how often it was synced. */
function disk() {
  let time = 0;
  const memory = createMemoryFileSystem({ now: () => ++time });
  for (const folder of [ROOT, WORKSPACE, '/w/blobs']) memory.mkdir(folder);
  const blobs = createBlobStore(memory, '/w/blobs');
  const meter = { syncs: 0 };
  const counted = (name: 'fsync' | 'fdatasync') => (fd: number) => {
    meter.syncs += 1;
    memory[name](fd);
  };
  const fs: FileSystem = {
    ...delegating(memory),
    fsync: counted('fsync'),
    fdatasync: counted('fdatasync'),
  };
  return { fs, blobs, meter };
}

interface Start {
  readonly id?: string;
  readonly workspace?: string;
  readonly pid?: number;
  readonly living?: readonly number[];
  readonly limits?: CopySizeLimits;
  readonly told?: string[];
  readonly host?: string;
  readonly now?: number;
}

function writerOn({ fs, blobs }: ReturnType<typeof disk>, start: Start = {}): CopyWriter {
  const { id = 'one', workspace = WORKSPACE, pid = 7, living = [], limits, told = [] } = start;
  const { host = IDENTITY.host, now = 0 } = start;
  const startTimeOf = (asked: number) => (asked === pid || living.includes(asked) ? 'start' : null);
  return new CopyWriter({
    ...{ fs, root: ROOT, blobs, blobsFolder: '/w/blobs', now: () => now },
    about: { workspace, kind: 'run', id, number: 1, title: 'a goal' },
    identity: { ...IDENTITY, host, boot: `${host} today`, pid, startTimeOf },
    warn: (text) => told.push(text),
    ...(limits === undefined ? {} : { limits }),
  });
}

const intent = (...files: FileChange[]): RecordOf<'action_intended'> => ({
  ...{ type: 'action_intended', id: '1.1#1#0', class: 'write', tool: 'write_file' },
  ...{ args: {}, signature: 's', files },
});

const write = (path: string, before: string | null, after: string): FileChange => ({
  path,
  before: before === null ? null : sha256(before),
  after: sha256(after),
});

/** The syncs that a change costs at its barrier. */
function costOf(on: ReturnType<typeof disk>, writer: CopyWriter, change: FileChange): number {
  const before = on.meter.syncs;
  writer.take(intent(change));
  writer.sync();
  return on.meter.syncs - before;
}

const kept = (fs: FileSystem, text: string, workspace = WORKSPACE): boolean =>
  findCopies(fs, ROOT, workspace).some(
    ({ place }) =>
      copiedContents(fs, place, readIndex(fs, place).lines)(sha256(text))?.toString() === text,
  );

describe('copies outside of the workspace', () => {
  it('cost one sync at the first change of a file, and none at a later one or of a new file', () => {
    const on = disk();
    on.blobs.keep(Buffer.from('given'));
    const writer = writerOn(on);
    expect(costOf(on, writer, write('a.txt', 'given', 'mine'))).toBe(1);
    expect(costOf(on, writer, write('a.txt', 'mine', 'mine too'))).toBe(0);
    expect(costOf(on, writer, write('new.txt', null, 'new'))).toBe(0);
    expect(kept(on.fs, 'given')).toBe(true);
  });

  it('go on where a killed process left them, behind a line that it did not finish', () => {
    const on = disk();
    on.blobs.keep(Buffer.from('given'));
    on.blobs.keep(Buffer.from('other'));
    costOf(on, writerOn(on), write('a.txt', 'given', 'mine'));
    const [found] = findCopies(on.fs, ROOT, WORKSPACE);
    const index = found?.place.index ?? '';
    const fd = on.fs.open(index, 'r+');
    on.fs.write(fd, Buffer.from('{"type":"change","pa'), on.fs.size(fd));
    on.fs.close(fd);
    const next = writerOn(on);
    expect(costOf(on, next, write('a.txt', 'mine', 'again')), 'known as its own').toBe(0);
    expect(costOf(on, next, write('b.txt', 'other', 'mine'))).toBe(1);
    expect(kept(on.fs, 'given') && kept(on.fs, 'other')).toBe(true);
  });

  it('are files of their own where they are large, which the blob does not take along', () => {
    const on = disk();
    const large = 'x'.repeat(300 * 1024);
    const hash = on.blobs.keep(Buffer.from(large));
    costOf(on, writerOn(on), write('a.txt', large, 'mine'));
    on.fs.ftruncate(on.fs.open(`/w/blobs/${hash}`, 'r+'), 0);
    expect(kept(on.fs, large)).toBe(true);
  });

  it('make room by the oldest of the folder, and never by one that is written to', () => {
    const limits = { workspace: 6_000, all: 100_000 };
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(2_000));
    for (const living of [[], [1]]) {
      const on = disk();
      texts.forEach((text, at) => {
        on.blobs.keep(Buffer.from(text));
        const start = { id: `run${at}`, pid: at + 1, living, limits };
        costOf(on, writerOn(on, start), write('a.txt', text, 'mine'));
      });
      expect(texts.map((text) => kept(on.fs, text))).toEqual(
        living.length === 0 ? [false, true, true] : [true, false, true],
      );
    }
  });

  it('make room by one of another host only days after its last line', () => {
    const limits = { workspace: 3_000, all: 100_000 };
    const days = (count: number): number => count * 24 * 60 * 60 * 1000;
    for (const now of [days(1), days(30)]) {
      const on = disk();
      for (const text of ['a', 'b']) on.blobs.keep(Buffer.from(text.repeat(2_000)));
      const there = { id: 'there', host: 'there', pid: 1, limits };
      costOf(on, writerOn(on, there), write('a.txt', 'a'.repeat(2_000), 'mine'));
      costOf(on, writerOn(on, { limits, now }), write('a.txt', 'b'.repeat(2_000), 'mine'));
      expect(kept(on.fs, 'a'.repeat(2_000))).toBe(now === days(1));
    }
  });

  it('make room by the oldest of all folders, and say so where one change alone is too much', () => {
    const limits = { workspace: 4_000, all: 6_000 };
    const on = disk();
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(2_000));
    texts.forEach((text, at) => {
      on.blobs.keep(Buffer.from(text));
      const start = { id: `run${at}`, pid: at + 1, workspace: `/w${at}`, limits };
      costOf(on, writerOn(on, start), write('a.txt', text, 'mine'));
    });
    expect(texts.map((text, at) => kept(on.fs, text, `/w${at}`))).toEqual([false, true, true]);
    const told: string[] = [];
    on.blobs.keep(Buffer.from('d'.repeat(9_000)));
    costOf(on, writerOn(on, { limits, told }), write('a.txt', 'd'.repeat(9_000), 'mine'));
    expect(told).toEqual([expect.stringContaining('too much for one folder')]);
  });

  it('are given up, and that is said once, where the disk refuses them', () => {
    const on = disk();
    on.blobs.keep(Buffer.from('given'));
    const told: string[] = [];
    const refuse = () => {
      throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    };
    const writer = writerOn({ ...on, fs: { ...on.fs, mkdir: refuse } }, { told });
    for (const after of ['mine', 'again']) writer.take(intent(write('a.txt', 'given', after)));
    writer.sync();
    expect(told).toEqual([expect.stringMatching(/kept in \.agent_context only.*\(EROFS\)/)]);
  });
});
