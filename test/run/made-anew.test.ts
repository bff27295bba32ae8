/** What commands of a run made, and a copy lacks or holds as it was made before, is made anew there. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { playInMemory, type Read, type Write } from '../support/evaluated.ts';
import { BARE_HEAD, cmd, DONE, edit, type Played, plan, play, write } from '../support/play.ts';

const TEST = `${BARE_HEAD}import { add } from '../src/calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;
const IGNORED = { '.gitignore': 'out/\n' };
const project = (code: string) => ({
  ...IGNORED,
  'src/calc.mjs': code,
  'test/calc.test.mjs': TEST,
  'build.mjs': '// Copies what it builds, as compilers do.\n',
});
const GOOD = 'export const add = (a, b) => a + b;\n';
const PROOF = 'node out/test/calc.test.mjs';
const B = cmd('node build.mjs');
const TWICE = edit(
  'src/calc.mjs',
  'export const add',
  'export function twice(n) {\n  return n * 2;\n}\nexport const add',
);
const tests = (assertion: string) => [
  edit('test/calc.test.mjs', '{ add }', '{ add, twice }'),
  edit('test/calc.test.mjs', "test('adds'", `test('twice', () => ${assertion});\ntest('adds'`),
];

type Code = (text: string) => boolean;

/** A build elsewhere: what is there is used, whatever the sources say now. It fails where `isRefused` says so. */
const building =
  (isRefused: Code) =>
  (read: Read, write: Write): void => {
    if (isRefused(read('src/calc.mjs') ?? '')) throw new Error('src/calc.mjs cannot be read');
    for (const name of ['src/calc.mjs', 'test/calc.test.mjs'])
      write(`out/${name}`, read(name) ?? '');
  };

async function played(
  goal: string,
  files: NonNullable<Played['files']>,
  replies: Played['replies'],
  isRefused: Code = () => false,
) {
  const builds = {
    'build.mjs': building(isRefused),
    'sum.mjs': (_read: Read, write: Write) => write('sum.txt', String(1 + 2)),
  };
  return await playInMemory({ goal, files, replies: [...replies, [DONE], [DONE]] }, builds);
}

describe('what a build made', () => {
  it.each([
    ['assert.equal(twice(4), 8)', 'achieved', /the tests of this run fail with/],
    ['assert.ok(twice)', 'unverified', /pass even when src\/calc\.mjs does nothing/],
  ])(
    'is made anew where the code is altered, whether git ignores it or not: %s',
    async (assertion, ending, words) => {
      const work = [TWICE, ...tests(assertion), B, DONE];
      for (const ignores of [IGNORED, { '.gitignore': '' }]) {
        const files = { ...project(GOOD), ...ignores };
        const result = await played('Add twice(n), with tests', files, [[plan(PROOF), ...work]]);
        expect(result.detail).toMatch(words);
        expect(result.ending).toBe(ending);
      }
    },
  );

  it('shows work by tests that were red, with the old code built', async () => {
    const mend = [edit('src/calc.mjs', 'a - b', 'a + b'), B, DONE];
    const files = project(GOOD.replace('+', '-'));
    const result = await played('Make the tests pass', files, [[plan(PROOF), B], mend]);
    expect(result.detail).toMatch(/before the first change it failed/);
    expect(result.ending).toBe('achieved');
  });

  it('is made by two builds where the second makes more, as a build of CMake does', async () => {
    const builds = {
      'build.mjs': (read: Read, write: Write): void => {
        if (read('out/src/calc.mjs') !== null) write('out/lists/sources.txt', 'src/calc.mjs\n');
        building(() => false)(read, write);
      },
    };
    const mend = [edit('src/calc.mjs', 'a - b', 'a + b'), B, DONE];
    const files = project(GOOD.replace('+', '-'));
    const replies = [[plan(PROOF), B], mend, [DONE], [DONE]];
    const result = await playInMemory({ goal: 'Make the tests pass', files, replies }, builds);
    expect(result.detail).toMatch(/before the first change it failed/);
    expect(result.ending).toBe('achieved');
  });

  it('was missing before the work, which shows nothing of the work', async () => {
    const idle = edit('src/calc.mjs', GOOD, `// It adds.\n${GOOD}`);
    const result = await played('Make the tests pass', project(GOOD), [
      [plan(PROOF), idle, B, DONE],
    ]);
    expect(result.detail).toMatch(/passed before this run too/);
    expect(result.ending).toBe('unverified');
  });

  it('could not be made before the work, for a reason of its own: that shows nothing', async () => {
    const work = [TWICE, ...tests('assert.ok(twice)'), B, DONE];
    const replies = [[plan(PROOF), B], work];
    const result = await played(
      'Add twice(n), with tests',
      project(GOOD),
      replies,
      (code) => !code.includes('twice'),
    );
    expect(result.detail).not.toMatch(/before the first change it failed/);
    expect(result.ending).toBe('unverified');
  });
});

it('a build that fails in a copy with emptied code tells nothing of the tests', async () => {
  const work = [TWICE, ...tests('assert.ok(twice)'), B, DONE];
  const result = await played(
    'Add twice(n), with tests',
    project(GOOD),
    [[plan(PROOF), ...work]],
    (code) => code.includes('return;'),
  );
  expect(result.detail).toMatch(
    /it is not known whether its tests notice src\/calc\.mjs: node build\.mjs/,
  );
  expect(result.ending).toBe('unverified');
});

it('what a program of the run made is its work, and missing before', async () => {
  const files = { 'test/sum.test.mjs': "import sum from '../sum.txt';\n" };
  const result = await played(
    'Write sum.mjs, which writes the sum of 1 and 2 into sum.txt, so that the test passes',
    files,
    [[plan('node test/sum.test.mjs'), write('sum.mjs', 'sum();\n'), cmd('node sum.mjs'), DONE]],
  );
  expect(result.detail).toMatch(/before the first change it failed/);
  expect(result.ending).toBe('achieved');
});

/** CMake takes the compiler as it is: to try it out takes most of the time of a set-up. */
const LISTS = `cmake_minimum_required(VERSION 3.10)
set(CMAKE_C_COMPILER_ID_RUN TRUE)
set(CMAKE_C_COMPILER_FORCED TRUE)
project(calc C)
enable_testing()
add_executable(test_calc test/test_calc.c calc.c)
add_test(NAME calc COMMAND test_calc)
`;
const C = {
  'CMakeLists.txt': LISTS,
  'calc.c': 'int add(int a, int b) { return a - b; }\n',
  'test/test_calc.c':
    '#include <assert.h>\nint add(int a, int b);\nint main(void) {\n  assert(add(2, 3) == 5);\n  return 0;\n}\n',
};
const HAS_CMAKE = ['cmake', 'ctest', 'cc'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
);

it.skipIf(!HAS_CMAKE)(
  'CMake builds in a folder of its own, and in each copy anew',
  async () => {
    const build = [cmd('cmake -S . -B build'), cmd('cmake --build build')];
    const mend = [edit('calc.c', 'a - b', 'a + b'), cmd('cmake --build build'), DONE];
    const rules = { user: { allow: ['cmake', 'ctest'] } };
    const replies = [[plan('ctest --test-dir build'), ...build], mend, [DONE], [DONE]];
    const isBuilt: boolean[] = [];
    const result = await play(
      { goal: 'Make the tests pass', files: C, replies },
      { rules },
      (folder) => isBuilt.push(existsSync(join(folder, 'build', 'CMakeCache.txt'))),
    );
    expect(result.detail).toMatch(/\(1 passed\); before the first change it failed/);
    expect(result.ending).toBe('achieved');
    expect(isBuilt).toEqual([true]);
  },
  60_000,
);
