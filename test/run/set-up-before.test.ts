/** A build that a person set up before the run, by full paths of the folder, works in the copies, too. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { cmd, DONE, edit, plan, play, write } from '../support/play.ts';

/** CMake takes the compiler as it is: to try it out takes most of the time of a set-up. */
const LISTS = `cmake_minimum_required(VERSION 3.10)
set(CMAKE_C_COMPILER_ID_RUN TRUE)
set(CMAKE_C_COMPILER_FORCED TRUE)
project(calc C)
enable_testing()
option(WITH_TESTS "as its user wants it" OFF)
if(WITH_TESTS)
add_executable(test_calc test/test_calc.c calc.c)
add_test(NAME calc COMMAND test_calc)
endif()
`;
const TEST =
  '#include <assert.h>\nint add(int a, int b);\nint main(void) {\n  assert(add(2, 3) == 5);\n  return 0;\n}\n';
const FILES = {
  '.gitignore': 'build/\n',
  'CMakeLists.txt': LISTS,
  'calc.c': 'int add(int a, int b) { return a - b; }\n',
  'test/test_calc.c': TEST,
};
const MEND = edit('calc.c', 'a - b', 'a + b');
const BUILD = cmd('cmake --build build');
const HAS_CMAKE = ['cmake', 'ctest', 'cc'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
);

const setUp = (cwd: string): void => {
  for (const args of [
    ['-S', '.', '-B', 'build', '-DWITH_TESTS=ON'],
    ['--build', 'build'],
  ])
    expect(spawnSync('cmake', args, { cwd }).status).toBe(0);
};

type Work = readonly ReturnType<typeof cmd>[];
const played = (files: Record<string, string>, work: Work) => {
  const replies = [[plan('ctest --test-dir build'), ...work], [DONE], [DONE]];
  const rules = { user: { allow: ['cmake', 'ctest', 'node'] } };
  return play({ goal: 'Make test_calc pass', files, prepare: setUp, replies }, { rules });
};

describe.skipIf(!HAS_CMAKE)('a build that was set up before the run', () => {
  it.each([
    ['that git ignores', FILES['.gitignore']],
    ['that git keeps', ''],
  ])(
    'is made anew in copies with its settings, in a folder %s',
    async (_where, ignores) => {
      const result = await played({ ...FILES, '.gitignore': ignores }, [MEND, BUILD, DONE]);
      expect(result.detail).toMatch(/\(1 passed\); before the first change it failed/);
      expect(result.ending).toBe('achieved');
    },
    60_000,
  );

  it.each([
    ['a test that compares nothing', edit('test/test_calc.c', 'add(2, 3) == 5', '1')],
    [
      'another program in place of the test',
      cmd(`node -e "require('fs').copyFileSync('/bin/true', 'build/test_calc')"`),
    ],
    ['another list of tests', write('build/CTestTestfile.cmake', 'add_test(calc "/bin/true")\n')],
  ])(
    'shows nothing by %s',
    async (_what, hollow) => {
      const result = await played(FILES, [BUILD, hollow, DONE]);
      expect(result.ending).not.toBe('achieved');
    },
    60_000,
  );
});
