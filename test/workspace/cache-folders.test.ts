/** Folders that their programs tag as caches: neither kept nor seen, unless they held something before. */
import { describe, expect, it } from 'vitest';
import { cacheTag, isBuiltByCMake } from '../../src/workspace/cache-folders.ts';
import { contents, KeptRun, memoryFolder, put } from '../support/kept-run.ts';

const TAG = 'Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag.\n';

const changedIn = (run: KeptRun): readonly string[] =>
  run.records.flatMap((record) =>
    record.type === 'files_changed' ? record.files.map(({ path }) => path) : [],
  );

describe('a folder with the tag of a cache', () => {
  it('is neither kept nor seen as changed by a command', async () => {
    const run = new KeptRun(memoryFolder());
    put(run.fs, 'target/CACHEDIR.TAG', TAG);
    put(run.fs, 'target/debug/a.o', 'old');
    put(run.fs, 'a.rs', 'old');
    await run.command(() => {
      put(run.fs, 'target/debug/a.o', 'new');
      put(run.fs, 'target/debug/b.o', 'new');
      put(run.fs, 'a.rs', 'new');
      put(run.fs, 'other/CACHEDIR.TAG', TAG);
      put(run.fs, 'other/c.o', 'new');
    });
    expect(changedIn(run)).toEqual(['a.rs']);
    run.undo();
    const { 'a.rs': code, 'target/debug/a.o': built } = contents(run.fs);
    expect(
      [code, built].map((one) => Buffer.from(one?.split(' ')[1] ?? '', 'hex').toString()),
    ).toEqual(['old', 'new']);
  });

  it.each([
    [
      'came later, by a command',
      (run: KeptRun) => run.command(() => put(run.fs, 'data/CACHEDIR.TAG', TAG)),
    ],
    ['was written by the run itself', (run: KeptRun) => run.write('data/CACHEDIR.TAG', TAG)],
  ])('is none where the tag %s', async (_, tag) => {
    const run = new KeptRun(memoryFolder());
    put(run.fs, 'data/a.csv', 'old');
    await tag(run);
    run.restart();
    await run.command(() => put(run.fs, 'data/a.csv', 'new'));
    expect(changedIn(run)).toContain('data/a.csv');
    run.undo();
    expect(Object.keys(contents(run.fs))).toEqual(['data/a.csv']);
    expect(contents(run.fs)['data/a.csv']).toContain(Buffer.from('old').toString('hex'));
  });
});

it('a tag is a file that begins with the signature', () => {
  const fs = memoryFolder();
  put(fs, 'a/CACHEDIR.TAG', TAG);
  put(fs, 'b/CACHEDIR.TAG', 'a list of tags');
  put(fs, 'c/CACHEDIR.TAG/x', TAG);
  expect(['a', 'b', 'c', 'd'].map((name) => cacheTag(fs, `/w/${name}`) !== null)).toEqual([
    ...[true, false, false, false],
  ]);
});

it('CMake builds in a folder that names sources outside it', () => {
  const fs = memoryFolder();
  const cacheOf = (sources: string) => `# a cache\nCMAKE_HOME_DIRECTORY:INTERNAL=${sources}\r\n`;
  put(fs, 'build/CMakeCache.txt', cacheOf('/w'));
  put(fs, 'beside/CMakeCache.txt', cacheOf('/w/beside-it'));
  put(fs, 'sources/CMakeCache.txt', cacheOf('/w/sources'));
  put(fs, 'other/CMakeCache.txt', 'CMAKE_HOME_DIRECTORY');
  const names = ['build', 'beside', 'sources', 'other', 'none'];
  expect(names.filter((name) => isBuiltByCMake(fs, `/w/${name}`))).toEqual(['build', 'beside']);
});
