/** CMake configures, builds and tests the project that was there when the run began. */
import { describe, expect, it } from 'vitest';
import { judgeIn } from './support.ts';

const FILES = { 'CMakeLists.txt': 'project(x C)\n', 'lib/CMakeLists.txt': 'add_library(x x.c)\n' };
const judge = judgeIn({ files: FILES });

describe('cmake and ctest', () => {
  it.each([
    'cmake -S . -B build',
    'cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Debug -DBUILD_TESTING:BOOL=ON',
    'cmake --build build -j4 --target all',
    'ctest --test-dir build --output-on-failure -R "adds"',
    'ctest --test-dir build -j 4 --timeout 60',
    'cmake --version',
  ])('%s runs without a question', (cmd) => {
    expect(judge(cmd)).toMatchObject({ kind: 'allow' });
  });

  it.each([
    'cmake',
    'cmake .',
    'cmake -S . -B build -DCMAKE_C_COMPILER=./evil',
    'cmake -S . -B build -DCMAKE_C_FLAGS=-fplugin=x.so',
    'cmake -P script.cmake',
    'cmake -E rm -rf build',
    'cmake --install build',
    'cmake --build build --clean-first',
    'cmake --build build -- SHELL=./x',
    'cmake --build build --parallel --clean-first',
    'ctest -j -DExperimental',
    'ctest -S script.cmake',
    'ctest -D Experimental',
    'ctest --build-and-test . build',
    'ctest --test-dir build --output-log x',
  ])('%s asks', (cmd) => {
    expect(judge(cmd).kind).toBe('ask');
  });

  it('never builds outside', () => {
    for (const cmd of ['cmake -S .. -B build', 'cmake --build /x', 'ctest --test-dir ../b'])
      expect(judge(cmd).kind).toBe('deny');
  });

  it('asks where the run wrote what it would go by, and what CMake makes is none of that', () => {
    const taken = { 'CMakeLists.txt': 'another' };
    for (const cmd of ['cmake -S . -B build', 'cmake --build build', 'ctest --test-dir build']) {
      expect(judgeIn({ files: FILES, taken })(cmd).reason).toContain('changed: CMakeLists.txt');
      for (const path of ['lib/CMakeLists.txt', 'cmake/tools.cmake', 'CMakePresets.json'])
        expect(judgeIn({ files: FILES, changed: [path] })(cmd).kind).toBe('ask');
      const made = ['build/CTestTestfile.cmake', 'build/CMakeFiles/x.dir/flags.cmake'];
      expect(judgeIn({ files: FILES, changed: made })(cmd).kind).toBe('allow');
      expect(judgeIn({ files: {} })(cmd).reason).toContain('there was no CMakeLists.txt');
    }
  });
});
