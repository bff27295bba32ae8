import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { caseless } from '../support/caseless.ts';
import { contents, FOLDER, KeptRun, memoryFolder, put, remove } from '../support/kept-run.ts';

const MOVED = 'y.txt (it holds what d/x.txt held, which is not back)';

/** A command moved d/x.txt to y.txt and changed another file. */
async function movedRun(): Promise<KeptRun> {
  const run = new KeptRun();
  const { fs } = run;
  put(fs, 'd/x.txt', 'mine');
  put(fs, 'o.txt', 'given');
  await run.command(() => {
    fs.rename('/w/d/x.txt', '/w/y.txt');
    fs.rmdir('/w/d');
    put(fs, 'o.txt', 'by the command');
  });
  return run;
}

/** A disk that takes no file under this name. */
const refusing = (fs: FileSystem, path: string): FileSystem => ({
  ...delegating(fs),
  rename: (from, to) => {
    if (to === path) throw Object.assign(new Error('no'), { code: 'EACCES' });
    fs.rename(from, to);
  },
});

const said = (fs: FileSystem, path: string): string | undefined => {
  const bytes = contents(fs)[path]?.split(' ')[1];
  return bytes === undefined ? undefined : Buffer.from(bytes, 'hex').toString('utf8');
};

describe('a file that was moved', () => {
  it('keeps its new name where somebody has taken its old place, and that is said before', async () => {
    const run = await movedRun();
    put(run.fs, 'd', 'by a person');
    expect(run.preview().left).toEqual(
      expect.arrayContaining([MOVED, 'd/x.txt (its folder leads somewhere else now)']),
    );
    expect(run.undo()).toMatchObject({ restored: ['o.txt'], removed: [] });
    expect(said(run.fs, 'y.txt')).toBe('mine');
  });

  it('keeps its new name where its changes are withheld, too', async () => {
    const run = await movedRun();
    put(run.fs, 'd', 'by a person');
    run.withhold();
    expect([said(run.fs, 'y.txt'), said(run.fs, 'o.txt')]).toEqual(['mine', 'given']);
    run.apply();
    expect([said(run.fs, 'y.txt'), said(run.fs, 'o.txt')]).toEqual(['mine', 'by the command']);
  });

  it('keeps its new name where the system refuses its old place', async () => {
    for (const doing of ['undo', 'withhold'] as const) {
      const run = await movedRun();
      run[doing]({ fs: refusing(run.fs, '/w/d/x.txt') });
      expect([doing, said(run.fs, 'y.txt')]).toEqual([doing, 'mine']);
    }
  });

  it('keeps its new name where that alone is undone', async () => {
    const run = await movedRun();
    expect(run.preview('y.txt')).toMatchObject({ files: [], left: [MOVED] });
    expect(run.undo({}, 'y.txt')).toMatchObject({ removed: [] });
    expect(run.undo({}, 'd/x.txt')).toMatchObject({ restored: ['d/x.txt'] });
    expect(run.undo({}, 'y.txt')).toMatchObject({ removed: ['y.txt'] });
  });

  it('is in its old place before the file that it replaced is', async () => {
    const run = new KeptRun();
    put(run.fs, 'a.txt', 'mine');
    put(run.fs, 'z.txt', 'given');
    await run.command(() => run.fs.rename('/w/a.txt', '/w/z.txt'));
    run.undo();
    expect(run.of('file_restored').map(({ path }) => path)).toEqual(['a.txt', 'z.txt']);
  });
});

it('what is in the way of a file whose former content is lost stays', async () => {
  const run = new KeptRun();
  put(run.fs, 'd/x.txt', 'mine');
  await run.command(() => {
    remove(run.fs, 'd/x.txt');
    run.fs.rmdir('/w/d');
    put(run.fs, 'd', 'mine');
  });
  const { blobs } = layoutOf(FOLDER);
  for (const name of run.fs.readdir(blobs)) run.fs.unlink(`${blobs}/${name}`);
  expect(run.preview().left).toHaveLength(2);
  expect(run.undo().removed).toEqual([]);
  expect(said(run.fs, 'd')).toBe('mine');
});

describe('a folder of which only the case was changed, on a disk where both names are one', () => {
  it.each(['.DS_Store', 'large.bin'])('loses nothing where it also holds %s', async (other) => {
    for (const doing of ['undo', 'withhold'] as const) {
      const fs = caseless(memoryFolder());
      put(fs, 'Src/a.txt', 'mine');
      put(fs, 'Src/b.txt', 'mine too');
      put(fs, `Src/${other}`, Buffer.alloc(other === 'large.bin' ? 2_000_000 : 100));
      const run = new KeptRun(fs);
      await run.command(() => {
        fs.rename('/w/Src', '/w/src');
        put(fs, 'src/b.txt', 'by the command');
      });
      expect(run.preview().left.filter((line) => !line.includes(other))).toEqual([]);
      run[doing]();
      expect([said(fs, 'src/a.txt'), said(fs, 'src/b.txt')]).toEqual(['mine', 'mine too']);
      if (doing === 'undo') continue;
      run.apply();
      expect([said(fs, 'src/a.txt'), said(fs, 'src/b.txt')]).toEqual(['mine', 'by the command']);
    }
  });
});

it('a file that was too much to keep stays where a command moved it to', async () => {
  for (const doing of ['undo', 'withhold'] as const) {
    const run = new KeptRun(memoryFolder(), {
      limits: { fileBytes: 100, totalBytes: 10, names: 1000 },
    });
    put(run.fs, 'kept.txt', 'given');
    put(run.fs, 'mine.txt', 'too much to keep');
    await run.command(() => {
      run.fs.rename('/w/mine.txt', '/w/moved.txt');
      put(run.fs, 'kept.txt', 'other');
    });
    run[doing]();
    expect([said(run.fs, 'kept.txt'), said(run.fs, 'moved.txt')]).toEqual([
      'given',
      'too much to keep',
    ]);
  }
});
