import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { changesFor } from '../../src/evidence/changes.ts';
import type { TrialQuestion } from '../../src/evidence/evidence.ts';
import type { ChangedFile, RunWork } from '../../src/evidence/work.ts';
import { OWN_TESTS } from './judge-support.ts';

const KEPT = new Map<string, Uint8Array>();
const keep = (text: string): string => {
  const hash = createHash('sha256').update(text).digest('hex');
  KEPT.set(hash, Buffer.from(text));
  return hash;
};
const changed = (path: string, before: string | null): ChangedFile => ({
  ...{ path, after: 'new' },
  before: before === null ? null : keep(before),
});
const FILES = [
  changed('a.py', 'old code'),
  changed('b.py', null),
  changed('test_a.py', 'old test'),
  changed('test_b.py', null),
];
const work = (
  files: readonly ChangedFile[] = FILES,
  contentOf = (hash: string) => KEPT.get(hash) ?? null,
): RunWork =>
  ({
    ...{ changed: files, commands: [], newPackages: [], contentOf },
    disk: { files: files.map(({ path }) => path) },
  }) as unknown as RunWork;
const run = { world: {}, installed: new Set(), inspectionDeps: () => ({}) } as never;
const evidence = { ...OWN_TESTS, wantedTests: [] };

async function differs(question: TrialQuestion, at = work(), more = {}) {
  const found = await changesFor(question, run, { evidence: { ...evidence, ...more }, work: at });
  if (found === null) return null;
  return Object.fromEntries(
    [...found.changes].map(([path, bytes]) => [path, bytes && Buffer.from(bytes).toString()]),
  );
}

it('each question puts back what it is about, and nothing else', async () => {
  expect(await differs({ what: 'unchanged' })).toEqual({});
  expect(await differs({ what: 'before' })).toEqual({
    ...{ 'a.py': 'old code', 'b.py': null, 'test_a.py': 'old test', 'test_b.py': null },
  });
  expect(await differs({ what: 'old_code' })).toEqual({ 'a.py': 'old code', 'b.py': null });
  expect(await differs({ what: 'old_tests' })).toEqual({
    ...{ 'test_a.py': 'old test', 'test_b.py': null },
  });
  expect(await differs({ what: 'old_tests', path: 'test_b.py' })).toEqual({ 'test_b.py': null });
  expect(await differs({ what: 'put_back', paths: ['a.py'] })).toEqual({ 'a.py': 'old code' });
  expect(await differs({ what: 'without', path: 'a.py' })).toEqual({ 'a.py': null });
});

it('a file has nothing in it, or what only fails in its language', async () => {
  expect(await differs({ what: 'blank', path: 'a.py' })).toEqual({ 'a.py': '' });
  expect(await differs({ what: 'broken', path: 'a.py' })).toEqual({ 'a.py': ')]}\n' });
  expect(await differs({ what: 'failing', path: 'a.py' })).toEqual({
    'a.py': expect.stringContaining('raise SystemExit(1)'),
  });
  expect(await differs({ what: 'failing', path: 'notes.txt' })).toBeNull();
});

it.each(['lib', 'lib/'])('a folder is left out with all of its files: %s', async (path) => {
  const files = ['lib/a.py', 'lib/deep/b.py', 'library.py'].map((one) => changed(one, 'old'));
  expect(await differs({ what: 'without', path }, work(files))).toEqual({
    'lib/a.py': null,
    'lib/deep/b.py': null,
  });
});

it('tests that were there are run by what runs the file, with what the question puts back', async () => {
  const installed = new Set(['python', 'node']);
  const given = (code: 'new' | 'old' | 'now', path?: string) =>
    changesFor(
      { what: 'given_tests', code, ...(path === undefined ? {} : { path }) },
      { ...(run as object), installed } as never,
      { evidence, work: work() },
    );
  const paths = async (code: 'new' | 'old' | 'now') => [
    ...((await given(code, 'test_a.py'))?.changes.keys() ?? []),
  ];
  expect(await paths('new')).toEqual(['test_a.py', 'test_b.py']);
  expect(await paths('old')).toEqual(['a.py', 'b.py', 'test_a.py', 'test_b.py']);
  expect(await paths('now')).toEqual([]);
  expect((await given('new'))?.command.cmd).toBe('python -m unittest');
  expect((await given('new', 'test_a.py'))?.command.cmd).toBe('python -m unittest');
  expect(await given('new', 'tests/one.sh')).toBeNull();
});

it.each([
  ['stand in code', undefined, { innerTests: ['a.rs'] }, 'cargo test --workspace'],
  ['are in a language that cannot run them', 'tests/a.rs', {}, 'cargo test --workspace'],
  ['have a runner of their own', 'test_a.py', {}, 'python -m unittest'],
])(
  'all of the tests that were there are run by the proof itself where they %s',
  async (_what, path, more, cmd) => {
    const asked = await changesFor(
      { what: 'given_tests', code: 'old', ...(path === undefined ? {} : { path }) },
      { ...(run as object), installed: new Set(['python']) } as never,
      { evidence: { ...evidence, proof: { cmd: 'cargo test added' }, ...more }, work: work() },
    );
    expect(asked?.command).toEqual({ cmd });
  },
);

it('the earlier form of tests whose names no runner knows is run by the proof', async () => {
  const proof = { cmd: 'node --test' };
  const asked = await changesFor(
    { what: 'old_tests' },
    { ...(run as object), installed: new Set(['node']) } as never,
    { evidence: { ...evidence, proof }, work: work([changed('test/calc.mjs', 'old test')]) },
  );
  expect(asked?.command).toEqual(proof);
});

it('tests that were asked for stay as they are', async () => {
  const wanted = { wantedTests: ['test_a.py'] };
  expect(await differs({ what: 'old_tests' }, work(), wanted)).toEqual({ 'test_b.py': null });
});

it('has no answer where the file is gone, or what was there is not kept any more', async () => {
  expect(await differs({ what: 'without', path: 'gone.py' })).toBeNull();
  expect(
    await differs(
      { what: 'before' },
      work(FILES, () => null),
    ),
  ).toBeNull();
  expect(
    await differs(
      { what: 'before' },
      work(FILES.slice(1, 2), () => null),
    ),
  ).toEqual({
    'b.py': null,
  });
});
