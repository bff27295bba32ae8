/** What commands of a run made, and a copy lacks or holds as it was made before, is made anew there. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BARE_HEAD, cmd, DONE, edit, plan, play, write } from '../support/play.ts';

/** Builds elsewhere, as compilers do: what is there is used, whatever the sources say now. */
const BUILD = `import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
if (readFileSync('src/calc.mjs', 'utf8').includes('oops')) throw new Error('src/calc.mjs cannot be read');
for (const folder of ['out/src', 'out/test']) mkdirSync(folder, { recursive: true });
for (const name of ['src/calc.mjs', 'test/calc.test.mjs']) copyFileSync(name, 'out/' + name);
`;
const TEST = `${BARE_HEAD}import { add } from '../src/calc.mjs';\ntest('adds', () => assert.equal(add(2, 3), 5));\n`;
const IGNORED = { '.gitignore': 'out/\n' };
const project = (code: string) => ({
  ...IGNORED,
  'src/calc.mjs': code,
  'test/calc.test.mjs': TEST,
  'build.mjs': BUILD,
  'package.json': '{"scripts":{"build":"node build.mjs"}}',
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

type Replies = Parameters<typeof play>[0]['replies'];
const played = (goal: string, files: Record<string, string>, replies: Replies) =>
  play({ goal, files, replies: [...replies, [DONE], [DONE]] });

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

  it('was missing before the work, which shows nothing of the work', async () => {
    const idle = edit('src/calc.mjs', GOOD, `// It adds.\n${GOOD}`);
    const result = await played('Make the tests pass', project(GOOD), [
      [plan(PROOF), idle, B, DONE],
    ]);
    expect(result.detail).toMatch(/passed before this run too/);
    expect(result.ending).toBe('unverified');
  });

  it('could not be made before the work, for a reason of its own: that shows nothing', async () => {
    const wants = BUILD.replace(/if \(readFileSync[^\n]*/, (line) =>
      line.replace('if (', 'if (!').replace('oops', 'twice'),
    );
    const work = [TWICE, ...tests('assert.ok(twice)'), B, DONE];
    const files = { ...project(GOOD), 'build.mjs': wants };
    const result = await played('Add twice(n), with tests', files, [[plan(PROOF), B], work]);
    expect(result.detail).not.toMatch(/before the first change it failed/);
    expect(result.ending).toBe('unverified');
  });
});

it('a build that fails in a copy with emptied code tells nothing of the tests', async () => {
  const strict = BUILD.replace(".includes('oops')", ".includes('return;')");
  const files = { ...project(GOOD), 'build.mjs': strict };
  const work = [TWICE, ...tests('assert.ok(twice)'), B, DONE];
  const replies = [[plan(PROOF), ...work], [DONE], [DONE]];
  const result = await play({ goal: 'Add twice(n), with tests', files, replies });
  expect(result.detail).toMatch(
    /it is not known whether its tests notice src\/calc\.mjs: node build\.mjs/,
  );
  expect(result.ending).toBe('unverified');
});

it('what a program of the run made is its work, and missing before', async () => {
  const check = `import { readFileSync } from 'node:fs';\nif (readFileSync('sum.txt', 'utf8') !== '3') throw new Error('it is not 3');\n`;
  const program = `import { writeFileSync } from 'node:fs';\nwriteFileSync('sum.txt', String(1 + 2));\n`;
  const result = await play({
    goal: 'Write sum.mjs, which writes the sum of 1 and 2 into sum.txt, so that the test passes',
    files: { 'test/sum.test.mjs': check },
    replies: [
      [plan('node test/sum.test.mjs'), write('sum.mjs', program), cmd('node sum.mjs'), DONE],
      [DONE],
    ],
  });
  expect(result.detail).toMatch(/before the first change it failed/);
  expect(result.ending).toBe('achieved');
});

const LISTS = `cmake_minimum_required(VERSION 3.10)
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
