/** Copies of a workspace that follow each other: only what differs is written, and each is as if made anew. */
import { describe, expect, it } from 'vitest';
import { ensureDirectory, writeWholeFile } from '../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { createMemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { RUN_WITHOUT_PAUSES, runSync } from '../../src/lib/interruptible.ts';
import type { CopyLimits } from '../../src/workspace/copy-limits.ts';
import { readBytes } from '../../src/workspace/files.ts';
import { KeptCopy } from '../../src/workspace/kept-copy.ts';
import { copyWorkspace } from '../../src/workspace/scratch.ts';
import { sweepFolder } from '../../src/workspace/sweep-folder.ts';
import { dice, fc } from '../support/dice.ts';

/** Milliseconds between two changes of the disk. */
const STEP = 101;
const START = 1_700_000_000_000;
const LATER = START + 1_000_000_000;

type Texts = { readonly [path: string]: string | null };

/** A workspace, and a disk on which each change has a time of its own. */
function place(files: Texts) {
  let now = LATER;
  const memory = createMemoryFileSystem({ platform: 'linux', now: () => now });
  const written: string[] = [];
  const write = (path: string, text: string): void => {
    ensureDirectory(memory, path.slice(0, path.lastIndexOf('/')));
    writeWholeFile(memory, path, Buffer.from(text));
  };
  const fs: FileSystem = {
    ...delegating(memory),
    lstat: (path) => {
      const info = memory.lstat(path);
      const { changedMs } = info;
      return changedMs === undefined ? info : { ...info, changedMs: START + changedMs * STEP };
    },
    open: (path, flags, mode) => {
      if (flags === 'wx') written.push(path.replace('/copy/', ''));
      return memory.open(path, flags, mode);
    },
    setModified: (path, mtimeMs) => {
      const was = now;
      now = mtimeMs;
      writeWholeFile(memory, path, readBytes(memory, path), { mode: memory.lstat(path).mode });
      now = was;
    },
  };
  const workspace = '/ws';
  for (const [path, text] of Object.entries(files)) write(`/ws/${path}`, text ?? '');
  const kept = new KeptCopy({ fs, workspace, now: () => now });
  const copyInto = async (
    folder: string,
    changes: Texts,
    more: object = {},
    limits?: CopyLimits,
  ) => {
    written.length = 0;
    const bytesOf = (text: string | null) => (text === null ? null : Buffer.from(text));
    const changed = Object.entries(changes).map(([path, text]) => [path, bytesOf(text)] as const);
    now += 10_000;
    return copyWorkspace(
      {
        ...{ fs, workspace, folder, isLeftOut: () => false, packageLinks: () => [] },
        ...{ changes: new Map(changed), runInterruptibly: RUN_WITHOUT_PAUSES, ...more },
      },
      limits,
    );
  };
  const below = (folder: string, prefix = ''): readonly (readonly [string, string])[] =>
    memory.readdir(folder).flatMap((name) => {
      const at = `${folder}/${name}`;
      const { kind, mode } = memory.lstat(at);
      if (kind === 'directory')
        return [[`${prefix}${name}/`, `${mode}`], ...below(at, `${prefix}${name}/`)];
      return [[prefix + name, `${mode} ${readBytes(memory, at)}`]];
    });
  return {
    ...{ fs, write, written },
    copy: (changes: Texts = {}, more: object = {}, limits?: CopyLimits) =>
      copyInto('/copy', changes, { kept, ...more }, limits),
    anew: async (changes: Texts = {}) => {
      runSync(sweepFolder(fs, '/other'));
      return copyInto('/other', changes);
    },
    seen: (folder = '/copy') => below(folder).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    modified: (path: string) => memory.lstat(path).mtimeMs,
    read: (path: string) => readBytes(memory, path).toString(),
  };
}

const MANY: Texts = Object.fromEntries(
  Array.from({ length: 9 }, (_, index) => [`d${index % 3}/f${index}`, `text ${index}`]),
);
/** The newest file of a copy may be changed in the instant in which it was written. */
const LAST = 'z';

describe('the next copy', () => {
  it('writes nothing anew but what may have changed, with the times of a new copy', async () => {
    const { copy, written, modified } = place({ ...MANY, [LAST]: 'z' });
    const first = await copy();
    expect(written).toHaveLength(10);
    const was = modified('/copy/d0/f0');
    expect(await copy()).toEqual(first);
    expect(written).toEqual([LAST]);
    expect(modified('/copy/d0/f0')).toBeGreaterThan(was);
  });

  it('tells before it writes many files, and where only a few differ it tells nothing', async () => {
    const many = Array.from({ length: 5_001 }, (_, at) => [`f${at}`, ''] as const);
    const { copy, written } = place({ ...Object.fromEntries(many), [LAST]: 'z' });
    const told: string[] = [];
    const onMany = (files: number) => told.push(`${files} files, ${written.length} written`);
    const limits = { files: 10_000, bytes: 1 };
    await copy({}, { onMany }, limits);
    await copy({}, { onMany }, limits);
    expect(told).toEqual(['5002 files, 0 written']);
  });

  it('has what changed in the workspace, and what a trial wants otherwise', async () => {
    const { copy, written, write, read } = place({ ...MANY, [LAST]: 'z' });
    await copy();
    write('/ws/d0/f0', 'TEXT 0');
    await copy({ 'd1/f1': 'other', 'd2/f2': null, 'd9/new': 'new' });
    expect(written.toSorted()).toEqual(['d0/f0', 'd1/f1', 'd9/new', LAST]);
    expect(read('/copy/d0/f0')).toBe('TEXT 0');
    await copy();
    expect(written.toSorted()).toEqual(['d1/f1', 'd2/f2', LAST]);
  });

  it('has nothing of what a command did in the one before', async () => {
    const { copy, write, seen, fs, modified } = place({ ...MANY, [LAST]: 'z' });
    await copy();
    const expected = seen();
    const time = modified('/copy/d0/f0');
    write('/copy/d0/f0', 'TEXT 0');
    fs.setModified?.('/copy/d0/f0', time);
    write('/copy/d0/more/deep', 'more');
    fs.unlink('/copy/d1/f1');
    fs.rename('/copy/d2/f2', '/copy/d2/F2');
    fs.unlink('/copy/d2/f5');
    fs.mkdir('/copy/d2/f5');
    await copy();
    expect(seen()).toEqual(expected);
  });

  it('writes anew all of a folder with other rights, or with a name that cannot be read', async () => {
    const { copy, written, seen, fs } = place({ ...MANY, [LAST]: 'z' });
    await copy();
    const expected = seen();
    const folder = fs.open('/copy/d0', 'r');
    fs.fchmod(folder, 0o500);
    fs.close(folder);
    const hasGhost = (path: string): boolean => path === '/copy/d1' && written.length === 0;
    const ghostly = {
      ...fs,
      readdir: (path: string) => [...fs.readdir(path), ...(hasGhost(path) ? ['\ufffd'] : [])],
    };
    await copy({}, { fs: ghostly });
    expect(seen()).toEqual(expected);
    expect(written.filter((path) => path.startsWith('d2'))).toEqual([]);
    expect(written).toHaveLength(7);
  });

  it('writes all files where the one before was interrupted', async () => {
    const { copy, written } = place({ ...MANY, [LAST]: 'z' });
    await copy();
    await expect(
      copy(
        {},
        {
          runInterruptibly: async (work: Generator) => {
            for (let count = 0; count < 30; count += 1) work.next();
            throw new Error('stopped');
          },
        },
      ),
    ).rejects.toThrow('stopped');
    await copy();
    expect(written).toHaveLength(10);
  });

  it('is the same as one that is made anew, whatever happened to both folders', async () => {
    const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/a', 'n');
    const text = fc.constantFrom('one', 'two', 'three');
    const act = fc.oneof(
      fc.record({ where: fc.constantFrom('/ws', '/copy'), path, text: fc.option(text) }),
      fc.record({ copies: fc.dictionary(path, fc.option(text), { maxKeys: 2 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        const { fs, copy, anew, seen, write } = place({ a: 'one', 'd/a': 'one', 'd/e/a': 'one' });
        await copy();
        for (const one of acts) {
          if ('copies' in one) {
            const made = await copy(one.copies);
            expect(await anew(one.copies)).toEqual(made);
            expect(seen('/copy')).toEqual(seen('/other'));
          } else {
            try {
              if (one.text === null) runSync(sweepFolder(fs, `${one.where}/${one.path}`));
              else write(`${one.where}/${one.path}`, one.text);
            } catch {
              // A file stands where a folder is wanted, or the other way round.
            }
          }
        }
      }),
      { numRuns: dice(150, 5_000) },
    );
  });
});
