/** Outputs are those of node 20 and 24, pytest 9, go 1.26, cargo 1.9x and ctest 3.x, cut to what is read. */
import { describe, expect, it } from 'vitest';
import { redTests, seenTests } from '../../../src/languages/testing/named-tests.ts';

const TAP = `TAP version 13
# Subtest: outer \\# x
    # Subtest: inner
    not ok 1 - inner
      ---
      failureType: 'testCodeFailure'
      ...
    # Subtest: zweï
    ok 2 - zweï
    # Subtest: later
    ok 3 - later # SKIP
    1..3
not ok 1 - outer \\# x
# ok 2 - printed by a test
not ok 3 - /tmp/copy/c.test.mjs
`;
const SPEC = `▶ outer # x
  ✖ inner (1.327319ms)
    AssertionError [ERR_ASSERTION]: -1 == 5

  ✔ zweï (0.740088ms)
  ﹣ later (0.17527ms) # SKIP
✖ outer # x (3.413342ms)
✖ /tmp/copy/c.test.mjs (80.1ms)
ℹ tests 4
✖ failing tests:

test at b.test.mjs:2:31
✖ inner (1.327319ms)
`;
const PYTEST = `.FF
FAILED to connect
=========================== short test summary info ============================
SUBFAILED[m] (i=1) test_a.py::test_sub - assert 1 == 0
FAILED test_a.py::test_param[x - y] - AssertionError: no - not here
FAILED test_a.py::test_grüße
FAILED my tests/test_b.py::test_one - assert [1] == [2]
ERROR test_a.py::T::test_setup - ValueError: x
ERROR test_c.py
PASSED test_a.py::test_sub
4 failed, 3 passed, 2 errors in 0.03s
`;
const GO = `printed--- FAIL: TestAdd (0.00s)
    --- FAIL: TestAdd/a_b (0.00s)
FAIL
FAIL\texample.com/calc\t0.035s
ok  \texample.com/calc/sub\t0.016s
FAIL\texample.com/calc/not [build failed]
FAIL
`;
const CARGO = `running 3 tests
test tests::later ... ignored
test tests::adds ... FAILED
test tests::panics - should panic ... FAILED
test result: FAILED. 0 passed; 2 failed; 1 ignored
`;
const names = (output: string) => redTests(output).map(({ file, name }) => [file, name]);

const CTEST = `      Start  1: trims
 1/4 Test  #1: trims ..........................   Passed    0.00 sec
 2/4 Test  #2: no room ........................***Failed    0.01 sec
 3/4 Test  #3: slow ...........................***Timeout   1.50 sec
 4/4 Test  #4: left out .......................***Skipped   0.00 sec
 5/6 Test  #5: aborts .........................Subprocess aborted***Exception:   0.02 sec
 6/6 Test  #6: reads nothing ..................***Exception: SegFault  0.00 sec

75% tests passed, 1 tests failed out of 4
`;

describe('what was red', () => {
  it.each([
    ['TAP', TAP],
    ["node's reporter for people", SPEC],
  ])('is read from %s, without what a test prints', (_, output) => {
    const red = [
      ['', 'inner'],
      ['', 'outer # x'],
      ['/tmp/copy/c.test.mjs', ''],
    ];
    expect(names(output)).toEqual(red);
    expect(names(output.replaceAll('\n', '\r\n'))).toEqual(red);
  });

  it("is read from pytest's summary, whatever stands in an id", () => {
    expect(names(PYTEST)).toEqual([
      ['test_a.py', 'test_a.py::test_sub'],
      ['test_a.py', 'test_a.py::test_param[x - y]'],
      ['test_a.py', 'test_a.py::test_grüße'],
      ['my tests/test_b.py', 'my tests/test_b.py::test_one'],
      ['test_a.py', 'test_a.py::T::test_setup'],
      ['test_c.py', ''],
    ]);
  });

  it('is read from unittest, go, cargo and ctest', () => {
    expect(names('FAIL: test_u (test_a.T.test_u)\n---\nERROR: test_v (test_a.T)\n')).toEqual([
      ['', 'test_u (test_a.T.test_u)'],
      ['', 'test_v (test_a.T)'],
    ]);
    expect(names(GO)).toEqual([
      ['example.com/calc', 'TestAdd'],
      ['example.com/calc', 'TestAdd/a_b'],
      ['example.com/calc/not', ''],
    ]);
    expect(names(CARGO)).toEqual([
      ['', 'tests::adds'],
      ['', 'tests::panics'],
    ]);
    expect(names(CTEST)).toEqual([
      ['', 'no room'],
      ['', 'slow'],
      ['', 'aborts'],
      ['', 'reads nothing'],
    ]);
    expect(names(`1/2 Test #1: x${' A'.repeat(150_000)}`)).toEqual([]);
  });
});

describe('a later run', () => {
  const seen = (before: string, after: string, text: string | null = null) =>
    seenTests(redTests(before), after, () => text);

  it('names those that were red among those that passed', () => {
    const tap = 'ok 1 - inner\nok 2 - outer \\# x\nok 3 - one\nok 4 - two\n';
    const file =
      "import test from 'node:test';\n// test('gone')\ntest('one', f);\nit.only('two');\n";
    expect(seen(TAP, tap, file)).toMatchObject({ missing: [], isNamed: true });
    expect(seen(SPEC, tap.replaceAll('ok 4', 'x> ok 4'), file)).toMatchObject({ missing: [] });
    expect(seen(TAP, tap.replace('ok 4 - two\n', ''), file).missing).toEqual([
      '/tmp/copy/c.test.mjs',
    ]);
    expect(seen(TAP, tap.replace('ok 1', '# ok 1'), file).missing).toEqual(['inner']);
  });

  it('must pass as many of a name as there were', () => {
    const twice = 'not ok 1 - adds\nok 2 - adds\n';
    expect(seen(twice, 'ok 1 - adds\nok 2 - adds\n').missing).toEqual([]);
    expect(seen(twice, 'ok 1 - adds\nok 2 - /tmp/copy/a.test.mjs\n').missing).toEqual(['adds']);
  });

  it.each([
    ['a function of the file itself', 'const test = (title, body) => body();\n', []],
    ['a declared one', 'async function test(title, body) {}\n', []],
    ['that of a runner', "const test = require('node:test');\n", ['a.test.js']],
    [
      'that of a runner that is loaded',
      "const test = (await import('x')).default;\n",
      ['a.test.js'],
    ],
  ])(
    'of a file that is named itself lacks the tests that its text gives a runner: %s',
    (_, head, missing) => {
      const red = redTests('not ok 1 - a.test.js\n');
      const text = `${head}test('adds', () => {});\n`;
      const seen = seenTests(red, 'ok 1 - a.test.js\n', () => text);
      expect(seen.missing).toEqual(missing);
    },
  );

  it('of go names the package behind the tests, and what was begun and did not end', () => {
    const passed = [
      '=== RUN   TestAdd\nprinted=== RUN   TestAdd/a_b\n--- PASS: TestAdd (0.00s)',
      '    --- PASS: TestAdd/a_b (0.00s)\nPASS\nok  \texample.com/calc\t0.1s',
      '=== RUN   TestOther\n--- PASS: TestOther (0.00s)\nprintedPASS\nok  \texample.com/calc/not\t0.1s\n',
    ].join('\n');
    expect(seen(GO, passed)).toMatchObject({ missing: [], isCutOff: false, isUnnamed: false });
    const cut = passed.replace('    --- PASS: TestAdd/a_b (0.00s)\nPASS\n', '');
    expect(seen(GO, cut)).toMatchObject({ missing: ['TestAdd/a_b'], isCutOff: true });
    expect(seen(GO, passed.replace('printedPASS\n', '')).isCutOff).toBe(true);
    const silent = 'ok  \texample.com/calc\t0.1s\nok  \texample.com/calc/not\t(cached)\n';
    expect(seen(GO, silent)).toMatchObject({ isNamed: false, isUnnamed: true });
  });

  it('of ctest names each', () => {
    const after = CTEST.replace(
      /(?:Subprocess aborted)?\*\*\*(?:Failed|Timeout|Exc\S*(?: SegFault)?)/g,
      '   Passed',
    );
    expect(seen(CTEST, after)).toMatchObject({ missing: [], isNamed: true, passed: 3 });
    expect(seen(CTEST, after.replace(/ 2\/4.*\n/, ''))).toMatchObject({ missing: ['no room'] });
  });

  it('of cargo must come to the end of each program', () => {
    const end = 'test result: ok. 2 passed; 0 failed\n';
    const ok =
      'running 2 tests\ntest tests::adds ... ok\ntest tests::panics - should panic ... ok\n';
    expect(seen(CARGO, ok + end)).toMatchObject({ missing: [], isCutOff: false, passed: 2 });
    expect(seen(CARGO, `${ok}running 0 tests\n${end}`).isCutOff).toBe(true);
  });

  it('of pytest that was stopped did not come to its end', () => {
    const stopped = '1 passed in 0.1s\n!!!!!!!! _pytest.outcomes.Exit: done !!!!!!!!\n';
    expect(seen(PYTEST, stopped)).toMatchObject({ isCutOff: true, isNamed: false, passed: 1 });
  });
});

describe('a test that is named by a value of the code', () => {
  const summary = (...lines: string[]): string =>
    `=== short test summary info ===\n${lines.join('\n')}\n=== 1 failed, 1 passed in 0.1s ===\n`;
  const red = redTests(summary('FAILED test_a.py::test_rate[small-1] - assert 1 == 5'));
  const later = (...lines: string[]) => seenTests(red, summary(...lines), () => null);

  it('is renamed where others of its function pass and none fails', () => {
    const passed = 'PASSED test_a.py::test_rate[small-5]';
    expect(later(passed)).toMatchObject({ areRenamed: true });
    expect(later(passed, 'FAILED test_a.py::test_rate[big-7]')).not.toHaveProperty('areRenamed');
    expect(later('PASSED test_a.py::test_other[small-5]')).not.toHaveProperty('areRenamed');
    expect(later('PASSED test_b.py::test_rate[small-5]')).not.toHaveProperty('areRenamed');
  });
});
