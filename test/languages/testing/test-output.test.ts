import { describe, expect, it } from 'vitest';
import { asksForInput } from '../../../src/languages/commands/hints.ts';
import {
  failedTests,
  firstFailure,
  missingFile,
  passedText,
  testCountsIn,
  testsInAllParts,
  testsThatRan,
} from '../../../src/languages/testing/test-output.ts';

/** vitest 3.2.7 with its type check, on a repository whose sources have errors of types. */
const VITEST_TYPES = ` Test Files  28 passed (28)
      Tests  571 passed | 29 skipped (600)
Type Errors  no errors
     Errors  10 errors
   Start at  07:33:08
   Duration  49.72s (transform 2.18s, setup 0ms, collect 12.70s, tests 10.98s)
`;
const VITEST_UNLOADED = ` Test Files  1 failed (1)
      Tests  no tests
   Start at  07:33:08
`;
const JEST = `Test Suites: 1 failed, 2 passed, 3 total
Tests:       2 failed, 1 skipped, 9 passed, 12 total
Snapshots:   0 total
Time:        0.521 s
`;

/** `npm test` in a repository of two packages. */
const VITEST = ` Test Files  1 failed (1)
      Tests  1 failed | 2 passed (3)
   Start at  03:17:44

npm error workspace @shop/cart@1.0.0
`;
const NODE =
  '1..4\n# tests 4\n# suites 0\n# pass 4\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n';
const CARGO_FAILED =
  'running 2 tests\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n';

const CARGO =
  'running 3 tests\ntest tests::adds ... ok\n\ntest result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s\n';
const NO_DOC =
  'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n';

describe('the number of failing tests', () => {
  it.each([
    ['pytest', 'FAILED test_a.py::test_b - assert 1 == 2\n3 failed, 9 passed in 0.04s\n', 3],
    ['pytest that cannot collect', 'ERROR test_a.py\n1 error in 0.02s\n', 1],
    ['node --test', '# tests 4\n# pass 2\n# fail 2\n# cancelled 0\n', 2],
    ['node --test for people', 'ℹ tests 4\nℹ pass 3\nℹ fail 1\n', 1],
    ['unittest', 'Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n', 3],
    ['two runners, of which the first failed', `${VITEST}${NODE}`, 1],
    ['vitest', ' Test Files  1 failed (1)\n      Tests  4 failed | 2 passed (6)\n', 4],
    ['vitest, where only its type check has errors', VITEST_TYPES, 0],
    ['jest', JEST, 2],
  ])('is read from the summary of %s', (_, output, count) => {
    expect(testCountsIn(output)?.failed).toBe(count);
  });

  it('is unknown where nothing counts, and is not taken from what a program prints before', () => {
    expect(testCountsIn('Traceback: boom\n')).toBeNull();
    expect(testCountsIn(`2 failed\n${'x'.repeat(700)}\nboom\n`)).toBeNull();
  });
});

describe('a run of tests in few words', () => {
  it.each([
    ['pytest', '..\n2 passed in 0.01s\n', { failed: 0, passed: 2 }],
    [
      'pytest with a failure',
      'FAILED test_calc.py::test_add - assert -1 == 3\n1 failed, 1 passed in 0.02s\n',
      { failed: 1, passed: 1, first: 'test_add: -1 == 3' },
    ],
    [
      'pytest that cannot collect',
      'ERROR test_a.py - ImportError: no\n1 error in 0.02s\n',
      { failed: 1, passed: 0, first: 'test_a.py: ImportError: no' },
    ],
    ['unittest', 'Ran 5 tests in 0.001s\n\nOK (skipped=1)\n', { failed: 0, passed: 4 }],
    [
      'unittest with failures and errors',
      'Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=2)\n',
      { failed: 3, passed: 2 },
    ],
    ['node --test', '# tests 4\n# pass 2\n# fail 2\n', { failed: 2, passed: 2 }],
    [
      'vitest, which counts files first',
      ' Test Files  1 failed (1)\n      Tests  4 failed | 2 passed (6)\n',
      { failed: 4, passed: 2 },
    ],
    ['vitest, where only its type check has errors', VITEST_TYPES, { failed: 0, passed: 571 }],
    ['vitest, where a file cannot be loaded', VITEST_UNLOADED, { failed: 1, passed: 0 }],
    ['jest', JEST, { failed: 2, passed: 9 }],
    ['mocha', '  2 passing (5ms)\n  1 failing\n', { failed: 1, passed: 2 }],
    [
      'node --test, where one never ended',
      '# tests 2\n# suites 0\n# pass 1\n# fail 0\n# cancelled 1\n# skipped 0\n',
      { failed: 1, passed: 1 },
    ],
    [
      'pytest, where one could not be set up',
      '=== 2 passed, 1 error in 0.02s ===\n',
      { failed: 1, passed: 2 },
    ],
    [
      'pytest, below the coverage that was asked of it',
      'FAIL Required test coverage of 90% not reached. Total coverage: 50.00%\n3 passed in 0.02s\n',
      { failed: 0, passed: 3 },
    ],
    ['two runners, one behind the other', `${VITEST}${NODE}`, { failed: 1, passed: 6 }],
    [
      'cargo, where a program before the last one failed',
      `${CARGO_FAILED}${NO_DOC}`,
      { failed: 1, passed: 1 },
    ],
    [
      'prove, with two files in which some failed',
      't/b.t .. \nFailed 2/3 subtests \n\nTest Summary Report\n-------------------\nt/b.t   (Wstat: 512 (exited 2) Tests: 3 Failed: 2)\n  Failed tests:  2-3\n  Non-zero exit status: 2\nt/slug.t (Wstat: 256 Tests: 2 Failed: 1)\n  Failed test:  2\nFiles=3, Tests=9,  1 wallclock secs ( 0.02 usr  0.00 sys +  0.08 cusr  0.01 csys =  0.11 CPU)\nResult: FAIL\n',
      { failed: 3, passed: 6 },
    ],
    [
      'ctest',
      '50% tests passed, 1 tests failed out of 2\n\nTotal Test time (real) =   0.01 sec\n',
      { failed: 1, passed: 1 },
    ],
    [
      'Maven, each module of which counts once',
      '[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.05 s -- in x.A\n[INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0\nTests run: 9, Failures: 1, Errors: 2, Skipped: 1\n',
      { failed: 3, passed: 7 },
    ],
    [
      'Maven, which says below how to look at what failed',
      `Failed tests:   adds(x.CalcTest)\n\nTests run: 3, Failures: 1, Errors: 0, Skipped: 0\n\n${'[ERROR] For more information, read the following article\n'.repeat(14)}`,
      { failed: 1, passed: 2 },
    ],
    [
      'two runs, of which the first names what failed',
      `FAILED a.py::test_a - assert 1 == 2\n=== 1 failed, 2 passed in 0.02s ===\n${'x'.repeat(700)}\n=== 3 passed in 0.01s ===\n`,
      { failed: 1, passed: 5, first: 'test_a: 1 == 2' },
    ],
    [
      'a runner behind tests whose names hold counts',
      `ok 1 - says 5 passed\n${NODE}`,
      { failed: 0, passed: 4 },
    ],
    [
      'go, which counts what failed',
      '--- FAIL: TestAdd (0.00s)\n    a_test.go:5: got -1\nFAIL\n',
      { failed: 1, passed: null, first: 'TestAdd: got -1' },
    ],
  ])('is told of %s', (_, output, told) => {
    expect(testCountsIn(output)).toEqual(told);
    expect(testCountsIn(output.replaceAll('\n', '\r\n'))).toEqual(told);
  });

  it('is not told where nothing counts', () => {
    expect(testCountsIn('ok  \texample.com/calc\t0.002s\n')).toBeNull();
    expect(testCountsIn('Traceback: boom\n')).toBeNull();
  });

  it.each([
    ['a linter', '\u2716 10 problems (10 errors, 0 warnings)\n'],
    ['a type checker', 'Found 3 errors in 2 files.\n'],
  ])('is not told of errors that %s in front of the tests counts', (_, output) => {
    expect(testCountsIn(output)).toBeNull();
  });

  it('is bounded, however long the reason', () => {
    const told = testCountsIn(`FAILED a.py::b - ${'x'.repeat(900)}\n1 failed in 0.1s\n`);
    expect(told?.first?.length).toBe(200);
  });
});

describe('the file that a command cannot be run without', () => {
  it('is named by Python, of a package that is to be run', () => {
    const said = (name: string) =>
      `/usr/bin/python: No module named ${name}.__main__; '${name}' is a package and cannot be directly executed\n`;
    expect(missingFile(said('tool'))).toBe('tool/__main__.py');
    expect(missingFile(said('tool.sub'))).toBe('tool/sub/__main__.py');
  });

  it('is none where something else is missing', () => {
    expect(missingFile('/usr/bin/python: No module named tool\n')).toBeNull();
    expect(missingFile("ModuleNotFoundError: No module named 'tool.__main__'\n")).toBeNull();
  });
});

describe('how many tests passed', () => {
  it.each([
    [
      'vitest, which counts files first',
      ' Test Files  13 passed (13)\n      Tests  505 passed (505)\n',
      '505 passed',
    ],
    ['node --test', '# tests 11\n# pass 11\n# fail 0\n', '11 passed'],
    ['unittest', 'Ran 3 tests in 0.001s\n\nOK\n', '3 passed'],
    ['cargo, each program of which counts', `${CARGO}\n   Doc-tests calc\n\n${NO_DOC}`, '2 passed'],
    ['cargo, cut in the middle', `running 9 tests\n…\n${CARGO}${NO_DOC}`, ''],
    [
      'prove',
      't/a.t .. ok\nAll tests successful.\nFiles=1, Tests=2,  0 wallclock secs\nResult: PASS\n',
      '2 passed',
    ],
    ['two runners', `${VITEST.replaceAll('1 failed | ', '')}${NODE}`, '6 passed'],
    ['two runners, cut between them', `${VITEST}…\n${NODE}`, ''],
    ['a program that counts nothing', 'hello\n', ''],
    ['go, of one package', 'ok  \texample.com/web\t0.002s\n', 'example.com/web passed'],
    [
      'go, of more',
      'ok  \ta.b/web\t(cached)\n?   \ta.b/x\t[no test files]\r\nok  \ta.b/db\t0.1s\r\n',
      'a.b/web and others passed',
    ],
    ['go, without tests', 'ok  \ta.b/web\t0.002s [no tests to run]\n', ''],
    [
      'go, where one failed',
      '--- FAIL: TestA (0.00s)\nFAIL\nFAIL\ta.b/x\t0s\nok  \ta.b/y\t0s\n',
      '',
    ],
  ])('is said in the same words of %s', (_, output, text) => {
    expect(passedText(output)).toBe(text);
  });
});

describe('the tests of all parts of a run', () => {
  it('of vitest are not its files', () => {
    expect(testsInAllParts(`${VITEST}${NODE}`)).toEqual({ passed: 6, skipped: 0 });
  });

  it('of unittest are not those that it left out', () => {
    const output = 'Ran 2 tests in 0.001s\n\nOK (skipped=1)\n# pass 3\n';
    expect(testsInAllParts(output)).toEqual({ passed: 4, skipped: 1 });
    expect(testsInAllParts(output.replaceAll('\n', '\r\n'))).toEqual({ passed: 4, skipped: 1 });
  });
});

describe('long output is read at once', () => {
  it('of blank lines', () => {
    expect(testsThatRan('\n'.repeat(200_000))).toBeNull();
    expect(testsThatRan('\n\n  3 skipped in 0.01s\n')).toBe('no_pass');
  });

  it('of tests whose details never end', () => {
    const open = 'not ok 1 - open\n  ---\n'.repeat(20_000);
    const whole = "not ok 2 - whole\n  ---\n  location: 'a.test.mjs:1:1'\n  error: 'no'\n  ...\n";
    expect(failedTests(open + whole)).toEqual(['whole']);
  });

  it('of tracebacks', () => {
    const output = `${'Traceback (most recent call last):\n'.repeat(20_000)}x: EOF when reading a line`;
    const seen = {
      program: 'python',
      args: [],
      kind: 'exited',
      exitCode: 1,
      timeoutSec: 1,
    } as const;
    expect(asksForInput({ ...seen, output, hasStdin: false, unexpanded: [] })).toMatch(
      /EOF when reading a line$/,
    );
  });
});

describe('the first failure', () => {
  const PYTEST = `______________________________ TestWords.test_es _______________________________

    def test_es(self):
>       assert singularize('boxes') == 'box'
E       AssertionError: assert 'boxe' == 'box'
E         - box

test_words.py:382: AssertionError
=========================== short test summary info ============================
FAILED test_words.py::TestWords::test_es - AssertionError: assert '...
1 failed, 23 passed in 1.35s
`;
  const VITEST = ` ❯ test/utils.test.ts (9 tests | 2 failed) 81ms
     × should format lines correctly 34ms
 FAIL  test/utils.test.ts > should format lines correctly
TypeError: formatLineColumns is not a function
 ❯ test/utils.test.ts:26:20
`;

  it('is told whole, and by what is wrong rather than by the counts of its file', () => {
    expect(firstFailure(PYTEST)).toBe("TestWords.test_es: 'boxe' == 'box'");
    expect(firstFailure(VITEST)).toBe(
      'should format lines correctly: TypeError: formatLineColumns is not a function',
    );
    expect(firstFailure(`> slots@1.0.0 test\n> vitest run\n\n${VITEST}`)).toBe(
      firstFailure(VITEST),
    );
    expect(firstFailure(' FAIL  test/a.test.ts\n')).toBe('FAIL test/a.test.ts');
    // Node names the place of an error before the error.
    const unloaded =
      "file:///w/a.mjs:2\nconst x = ;\n          ^\n\nSyntaxError: Unexpected token ';'\n";
    expect(firstFailure(unloaded)).toBe("SyntaxError: Unexpected token ';'");
    expect(firstFailure('file:///w/a.mjs:2\n')).toBe('file:///w/a.mjs:2');
    const ownReporter =
      'FAIL a/format.test.js\nnumber.js > format\n    Error: expect(received).toMatchSnapshot()\n' +
      '        at file:///w/config/test-format.js:47:7\n\n › 1 snapshot failed.\n';
    expect(firstFailure(ownReporter)).toBe('Error: expect(received).toMatchSnapshot()');
    expect(firstFailure('        at file:///w/a.js:47:7\n')).toBe('at file:///w/a.js:47:7');
    const testify =
      '--- FAIL: TestSave (0.00s)\n    a_test.go:27: \n        \tError Trace:\t/w/a_test.go:27\n' +
      '        \tError:      \tAn error is expected\n        \tTest:       \tTestSave\n200 | GET\nFAIL\n';
    expect(firstFailure(testify)).toBe('TestSave: An error is expected');
    expect(firstFailure('all is well\n')).toBe('');
  });
});
