import { expect, it } from 'vitest';
import {
  type CommandSeenChanging,
  readingMadeByCommands,
  replaysOf,
} from '../../../src/evidence/trials/made-by-commands.ts';
import type { JournalRecord } from '../../../src/schema/records.ts';

interface Ran {
  readonly made?: readonly string[];
  readonly changed?: readonly string[];
  readonly folders?: readonly string[];
  readonly ms?: number;
  readonly isCut?: true;
}

const ran = (cmd: string, { made = [], changed = [], folders = [], ms = 1, isCut }: Ran) =>
  ({
    command: { cmd },
    durationMs: ms,
    files: [
      ...made.map((path) => ({ path, before: null })),
      ...changed.map((path) => ({ path, before: 'hash' })),
    ],
    folders,
    isCut: isCut === true,
  }) satisfies CommandSeenChanging;

const NO_PATHS: readonly string[] = [];
const NONE = {
  ...{ written: NO_PATHS, ignored: NO_PATHS, files: NO_PATHS, named: NO_PATHS, proof: 'ctest' },
  isOld: true,
};

function replays(seen: readonly CommandSeenChanging[], more: Partial<typeof NONE> = {}) {
  const { written, ignored, proof, files, named, isOld } = { ...NONE, ...more };
  return replaysOf(seen, {
    written,
    isWritten: (path) => written.includes(path),
    ignoredRoot: (path) =>
      ignored.find((root) => path === root || path.startsWith(`${root}/`)) ?? null,
    files,
    isNamed: (path) => named.includes(path),
    isCode: (path) => path.endsWith('.js') || path.endsWith('.ts'),
    isOld: () => isOld,
    isNobodys: (path) => path.endsWith('.log'),
    isThere: () => true,
    installs: (cmd) => cmd.startsWith('npm ci'),
    proof,
  });
}
const linesOf = (...args: Parameters<typeof replays>) =>
  replays(...args)?.commands.map(({ cmd }) => cmd) ?? null;

const configure = ran('cmake -B out', { made: ['out/Makefile'], folders: ['out'], ms: 900 });
const build = (ms = 1) => ran('make', { made: ['out/a'], changed: [], ms });

it('commands come in the order of their first runs, each once, and take as long as their longest run', () => {
  const found = replays([configure, build(50), build(2000), build(30)]);
  expect(found?.commands).toEqual([{ cmd: 'cmake -B out' }, { cmd: 'make' }]);
  expect(found?.ms).toBe(2900);
});

it('where a later run needed what another command made in between, both orders are kept', () => {
  const generate = ran('./gen', { made: ['out/table.c'] });
  expect(linesOf([build(), generate, build()])).toEqual(['make', './gen', 'make']);
  expect(linesOf([configure, build(), configure, build()])).toEqual(['cmake -B out', 'make']);
});

it('a folder that only commands filled is output as a whole, and other files are by themselves', () => {
  const found = replays([configure, ran('cc -o tool', { made: ['tool', 'x.log'] })]);
  const paths = ['out', 'out/new', 'outer', 'tool', 'x.log', 'src/a.c'];
  expect(paths.filter((path) => found?.isOutput(path))).toEqual(['out', 'out/new', 'tool']);
});

it('a folder with a file that a tool wrote is none, but for what commands made in it', () => {
  const found = replays([configure], { written: ['out/notes.md'] });
  expect(['out', 'out/notes.md', 'out/Makefile'].filter((path) => found?.isOutput(path))).toEqual([
    'out/Makefile',
  ]);
});

it('what git ignores and was there before is made anew with the outermost folder that git ignores', () => {
  const found = replays([ran('tsc', { changed: ['dist/src/a.js'] })], { ignored: ['dist'] });
  expect(['dist', 'dist/other.js', 'src/a.ts'].filter((path) => found?.isOutput(path))).toEqual([
    'dist',
    'dist/other.js',
  ]);
});

it('a folder alone is made without its command, which fails where it is', () => {
  const found = replays([ran('mkdir out', { folders: ['out'] }), build()]);
  expect(found?.commands).toEqual([{ cmd: 'make' }]);
  expect(found?.folders).toEqual(['out']);
});

it.each([
  ['changed a file of the user', ran('fix', { made: ['a.o'], changed: ['a.c'] })],
  ['made what a tool wrote later', ran('init', { made: ['main.c'] })],
  ['runs tests', ran('pytest', { made: ['report.xml'] })],
  ['is the proof', ran('prove-it', { made: ['report.xml'] })],
  ['installs', ran('npm ci', { made: ['lock'] })],
  ['made more than is known', ran('make', { made: ['a'], isCut: true })],
])('a command is not repeated that %s', (_what, one) => {
  expect(linesOf([one], { written: ['main.c'], proof: 'prove-it' })).toBeNull();
  expect(linesOf([one, build()], { written: ['main.c'], proof: 'prove-it' })).toEqual(['make']);
});

it.each([
  ['code of which there is no source', ran('gen', { made: ['out/a.js'] }), {}],
  [
    'the same where git keeps nothing, by a program of the run',
    ran('gen', { made: ['out/a.js'] }),
    { ignored: ['out'], isOld: false },
  ],
  ['what the goal or the plan names', ran('gen', { made: ['a.bin'] }), { named: ['a.bin'] }],
])('a command is not repeated that made %s', (_what, one, more) => {
  expect(linesOf([one], more)).toBeNull();
});

it.each([
  ['of which there is a source', { files: ['src/a.ts'] }],
  ['where git keeps nothing, by what was there before the run', { ignored: ['out'] }],
])('a build makes code %s', (_what, more) => {
  const found = replays([ran('build', { made: ['out/a.js'] })], more);
  expect(found?.commands).toEqual([{ cmd: 'build' }]);
  expect(found?.outputsOf({ cmd: 'build' })).toEqual(['out/a.js']);
});

it('of too many commands nobody knows which are a build', () => {
  const many = Array.from({ length: 9 }, (_, at) => ran(`step ${at}`, { made: [`o${at}`] }));
  expect(linesOf(many)).toBeNull();
});

/** What is read of a command, from its start to its end; each part may be another one. */
function read(
  {
    args = {},
    changed = {},
    end = {},
  }: { readonly args?: object; readonly changed?: object; readonly end?: object } = {},
  more: readonly JournalRecord[] = [],
) {
  const reader = readingMadeByCommands(() => Buffer.from('[]'));
  const files = [{ path: 'out/a', before: null, after: 'hash' }];
  for (const record of [
    { type: 'action_intended', id: '1', args: { cmd: 'make', ...args } },
    { type: 'files_changed', id: '1', by: 'command', files, folders: ['out'], ...changed },
    ...more,
    {
      ...{ type: 'action_finished', id: '1', does: 'runs_commands' },
      ...{ facts: { exitCode: 0, durationMs: 7 }, ...end },
    },
  ])
    reader.take(record as JournalRecord);
  return reader.result();
}

it('a command is read as it was typed, with what it changed and how long it took', () => {
  const files = [{ path: 'out/a', before: null, after: 'hash' }];
  const seen = { durationMs: 7, files, folders: ['out'], isCut: false };
  expect(read()).toEqual([{ ...seen, command: { cmd: 'make' } }]);
  const args = { stdin: 'y', cwd: 'sub', env: { CC: 'gcc' } };
  expect(read({ args })).toEqual([{ ...seen, command: { cmd: 'make', ...args } }]);
  expect(read({ args: { env: null, stdin: 1, cwd: 2 } })).toEqual(read());
});

it('so is a check of the engine, and no trial in a copy', () => {
  const check = (more: object) =>
    read({ end: { type: 'check_ran', facts: { exitCode: 0 }, ...more } }).length;
  expect(check({})).toBe(1);
  expect(check({ facts: { exitCode: 1 } })).toBe(0);
  expect(check({ scratch: { what: 'unchanged' } })).toBe(0);
});

it.each([
  ['failed', { end: { facts: { exitCode: 1 } } }],
  ['was not seen to end', { end: { facts: { exitCode: null } } }],
  ['is a tool of somebody else with an argument of that name', { end: { does: undefined } }],
  ['went on in the background', { args: { background: true } }],
  ['has no line', { args: { cmd: 7 } }],
  ['is a trial of ours', { end: { id: 'scratch#1' } }],
  ['did not change the files itself', { changed: { by: 'unknown' } }],
])('a command is not read that %s', (_what, parts) => {
  expect(read(parts)).toEqual([]);
});

it('what is gone again is no output, and a list that is cut is known to be', () => {
  const gone = { path: 'out/b', before: null, after: null };
  const uncovered = (became: string) => ({ path: `large-${became}`, became });
  const changed = {
    files: [gone],
    uncovered: ['made', 'changed', 'removed'].map(uncovered),
  };
  expect(read({ changed })).toMatchObject([
    {
      files: [
        { path: 'large-made', before: null },
        { path: 'large-changed', before: '' },
      ],
      isCut: false,
    },
  ]);
  const many = Array.from({ length: 50 }, () => uncovered('made'));
  expect(read({ changed: { uncovered: many } })).toMatchObject([{ isCut: true }]);
});
