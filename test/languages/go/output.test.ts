import { describe, expect, it } from 'vitest';
import type { CommandSeen, KnownNames } from '../../../src/languages/command-seen.ts';
import { asksForInput, commandHint } from '../../../src/languages/hints.ts';
import { failingTests, isTellingLine } from '../../../src/languages/test-output.ts';
import { judgeCommand } from '../../../src/probe/command-verdict.ts';

/** The outputs below were printed by Go 1.26. */

const NOTHING: KnownNames = { definitions: [], files: [] };
const PROJECT: KnownNames = {
  definitions: [
    { name: 'twice', file: 'util.go' },
    { name: 'draw', file: 'lib/board.mjs' },
  ],
  files: ['half.go', 'util.go', 'cmd/tool/nothere.go', 'lib/board.mjs'],
};

const hintOf = (
  cmd: string,
  output: string,
  { known = NOTHING, ...more }: Partial<CommandSeen> & { known?: KnownNames } = {},
): string | null => {
  const [program = '', ...args] = cmd.split(' ');
  const seen: CommandSeen = {
    ...{ program, args, kind: 'exited', exitCode: 1, timeoutSec: 120, output },
    ...{ stdinGiven: false, unexpanded: [], ...more },
  };
  expect(asksForInput(seen)).toBeNull();
  return commandHint(seen, known);
};

const FAILING = `--- FAIL: TestAdd (0.00s)
    main_test.go:7: Add(1, 2) = -1, want 3
--- FAIL: TestZero (0.00s)
    --- FAIL: TestZero/n (0.00s)
        main_test.go:12: bad
    --- FAIL: TestZero/n#01 (0.00s)
        main_test.go:12: bad
FAIL
FAIL\tm\t0.011s
FAIL
`;

const PANIC = `--- FAIL: TestA (0.00s)
panic: assignment to entry in nil map [recovered, repanicked]

goroutine 18 [running]:
testing.tRunner.func1.2({0x55a7a0, 0x6cadf0})
\t/usr/local/go/src/testing/testing.go:1974 +0x232
panic({0x55a7a0?, 0x6cadf0?})
\t/usr/local/go/src/runtime/panic.go:860 +0x13a
m.TestA(0x3f9f29456248?)
\t/home/me/ws/main_test.go:5 +0x28
created by testing.(*T).Run in goroutine 1
\t/usr/local/go/src/testing/testing.go:2101 +0x4c5
FAIL\tm\t0.015s
FAIL
`;

const BUILD_FAILED = `# m [m.test]
./main_test.go:5:28: cannot use s (variable of type string) as int value in argument to Map
FAIL\tm [build failed]
?   \tm/sub\t[no test files]
FAIL
`;

const OLD_LANGUAGE = `# m
./main.go:3:10: type parameter requires go1.18 or later (-lang was set to go1.16; check go.mod)
./main.go:5:30: cannot use 1 (untyped int constant) as string value in variable declaration
`;

describe('a hint for go', () => {
  it.each([
    [
      'an import that is not used',
      'go run unused.go',
      '# command-line-arguments\n./unused.go:5:2: "os" imported and not used\n./unused.go:6:2: "io" imported and not used\n',
      'Leave the import of "os" and "io" out of unused.go: what is not used is an error.',
    ],
    [
      'a variable that is not used',
      'go run a.go',
      '# command-line-arguments\n./a.go:9:2: declared and not used: x\n',
      'Use x, or leave it out: a variable that is not used is an error.',
    ],
    [
      'the same as Go up to 1.19 says it',
      'go run a.go',
      '# command-line-arguments\n./a.go:9:2: x declared but not used\n',
      'Use x, or leave it out: a variable that is not used is an error.',
    ],
    [
      'a package that was not imported',
      'go run a.go',
      '# command-line-arguments\n./a.go:11:2: undefined: strings\n',
      'Import it in a.go: import "strings"',
    ],
    [
      'a name in another file',
      'go run half.go',
      '# command-line-arguments\n./half.go:4:2: undefined: twice\n',
      'twice is defined in util.go: run all files of the program: go run . (it needs a file go.mod with two lines: module NAME and go 1.22).',
    ],
    [
      'a name that only another language has',
      'go run half.go',
      '# command-line-arguments\n./half.go:4:2: undefined: draw\n',
      'draw is not defined. Define it, or correct its spelling: capitals count.',
    ],
    [
      'a package from elsewhere',
      'go run dep.go',
      "dep.go:3:8: no required module provides package github.com/google/uuid: go.mod file not found in current directory or any parent directory; see 'go help modules'\n",
      'There is no github.com/google/uuid here and nothing can be installed. Use the standard library.',
    ],
    [
      'a package from elsewhere that go.mod names',
      'go run .',
      'main.go:3:8: missing go.sum entry for module providing package github.com/google/uuid (imported by m); to add:\n\tgo get m\n',
      'There is no github.com/google/uuid here and nothing can be installed. Use the standard library.',
    ],
    [
      'a package of its own that is not there',
      'go run .',
      'main.go:3:8: package m/nope is not in std (/usr/local/go/src/m/nope)\n',
      "There is no package m/nope. A package of your own is a folder, imported by the module's name in go.mod and the folder; files of one folder need no import of each other.",
    ],
    [
      'tests without a module',
      'go test ./...',
      '# ./...\npattern ./...: directory prefix . does not contain main module or its selected dependencies\nFAIL\t./... [setup failed]\nFAIL\n',
      'Write a file go.mod with two lines: module NAME and go 1.22.',
    ],
    [
      'a program without a module',
      'go run .',
      "go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n",
      'Write a file go.mod with two lines: module NAME and go 1.22.',
    ],
    [
      'two packages in a folder',
      'go test ./...',
      '# m\nfound packages main (main.go) and calc (main_test.go) in /home/me/ws\nFAIL\tm [setup failed]\nFAIL\n',
      'Files of one folder begin with the same package line: main.go says main, main_test.go says calc.',
    ],
    [
      'a module for a newer Go',
      'go run .',
      'go: go.mod requires go >= 1.99 (running go 1.26.8; GOTOOLCHAIN=local)\n',
      'go.mod asks for Go 1.99, but Go 1.26.8 is here: name that version or an older one in go.mod.',
    ],
    [
      'a module without a version',
      'go run .',
      OLD_LANGUAGE,
      'go.mod names an old version of the language, or none: it needs a line go 1.18 or later.',
    ],
    [
      'a file that does not parse',
      'go test ./...',
      "# m\nmain_test.go:5:40: expected '}', found 'EOF'\nFAIL\tm [setup failed]\nFAIL\n",
      'main_test.go, line 5, is not valid Go. Correct that line; the fault may be in the line before it.',
    ],
    [
      'tests that do not compile',
      'go test ./...',
      BUILD_FAILED,
      'main_test.go, line 5, does not compile: correct what its message says. No test of it was run.',
    ],
    [
      'a program that does not compile',
      'go run .',
      '# m\n./main.go:5:48: too many return values\n\thave (number)\n\twant ()\n',
      'main.go, line 5, does not compile: correct what its message says.',
    ],
    [
      'a file that is elsewhere',
      'go run nothere.go',
      'stat nothere.go: no such file or directory\n',
      'nothere.go is not there, but cmd/tool/nothere.go is.',
    ],
    [
      'a package that is no program',
      'go run main.go',
      'package command-line-arguments is not a main package\n',
      'Only package main with func main() can be run; a package without it is shown by its tests: go test ./...',
    ],
    [
      'tests that are run as a program',
      'go run main_test.go',
      'go: cannot run *_test.go files (main_test.go)\n',
      'Tests are run by: go test ./...',
    ],
    [
      'a panic in a test',
      'go test ./...',
      PANIC,
      'TestA ended with a panic in main_test.go, line 5: assignment to entry in nil map',
    ],
    [
      'a panic in a program',
      'go run main.go',
      'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/home/me/ws/main.go:5 +0x25\nexit status 2\n',
      'The program ended with a panic in main.go, line 5: boom',
    ],
  ])('says what comes next: %s', (_name, cmd, output, hint) => {
    expect(hintOf(cmd, output, { known: PROJECT })).toBe(hint);
  });

  it('says why nothing was tested, and why nothing is seen', () => {
    const well = { exitCode: 0 };
    expect(hintOf('go test ./...', '?   \tm\t[no test files]\n', well)).toMatch(
      /^go test found no tests\. .*NAME_test\.go/,
    );
    expect(hintOf('go test -run X ./...', 'ok  \tm\t0.003s [no tests to run]\n', well)).toMatch(
      /^go test found no test of that name/,
    );
    expect(hintOf('go run main.go', '', well)).toMatch(/^It printed nothing/);
  });

  it('leaves what speaks for itself, and other programs, alone', () => {
    expect(hintOf('go test ./...', FAILING)).toBeNull();
    expect(hintOf('go run main.go', 'exit status 3\n')).toBeNull();
    expect(hintOf('go build', '', { exitCode: 0 })).toBeNull();
    const mixed = 'ok  \tm\t0.003s\n?   \tm/sub\t[no test files]\n';
    expect(hintOf('go test ./...', mixed, { exitCode: 0 })).toBeNull();
    expect(hintOf('make', BUILD_FAILED)).toBeNull();
  });
});

describe('a test run of go', () => {
  const reasonOf = (output: string) =>
    judgeCommand({ cmd: 'go test ./...', exitCode: 0, output, prints: 'ok', proof: true }).reason;

  it.each([
    ['?   \tm\t[no test files]\n', 'no tests were found and run'],
    ['ok  \tm\t0.003s [no tests to run]\n', 'no tests were found and run'],
    ['ok  \tm\t(cached) [no tests to run]\n?   \tm/b\t[no test files]\n', 'no tests were found'],
    ['=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \tm\t0.004s\n', 'no test passed'],
    ['ok  \tm\t0.009s\n', 'it ended with exit code 0'],
    ['ok  \tm\t(cached)\n', 'it ended with exit code 0'],
    ['ok  \tm\t0.003s\n?   \tm/sub\t[no test files]\n', 'it ended with exit code 0'],
    ['ok  \tm\t0.003s\nok  \tm/b\t0.003s [no tests to run]\n', 'it ended with exit code 0'],
    ['--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\nPASS\nok  \tm\t0.002s\n', 'it ended with'],
  ])('that prints %j shows: %s', (output, reason) => {
    expect(reasonOf(output)).toContain(reason);
  });

  it('counts the tests that failed, those within them with them', () => {
    expect(failingTests(FAILING)).toBe(2);
    expect(failingTests(BUILD_FAILED)).toBeNull();
  });

  it('has lines that tell what is wrong', () => {
    expect(FAILING.split('\n').filter(isTellingLine)).toHaveLength(7);
    expect(BUILD_FAILED.split('\n').filter(isTellingLine)).toEqual([
      './main_test.go:5:28: cannot use s (variable of type string) as int value in argument to Map',
    ]);
    expect(['FAIL', 'ok  \tm\t0.009s', 'exit status 3'].some(isTellingLine)).toBe(false);
  });
});
