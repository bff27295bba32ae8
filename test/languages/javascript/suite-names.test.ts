/** Outputs are those of vitest 4.1, jest 29 and mocha 10, without code, stacks and times of their start. */
import { expect, it } from 'vitest';
import { suiteNames } from '../../../src/languages/javascript/suite-names.ts';
import { redTests, seenTests } from '../../../src/languages/testing/named-tests.ts';

const VITEST = ` RUN  v4.1.12 /tmp/evid/tspk/v

 ❯ a.test.mjs (5 tests | 1 failed | 1 skipped | 1 todo) 472ms
     ✓ adds 2ms
     × subtracts > fast 10ms
     ↓ later
     □ todo
   ✓ slow one  459ms
stdout | b.test.mjs > other
✓ printed

 ✓ b.test.mjs (1 test) 4ms
 ❯ c.test.mjs (0 test)

 FAIL  c.test.mjs [ c.test.mjs ]
Error: cannot load
 ❯ c.test.mjs:2:28

 FAIL  a.test.mjs > calc > subtracts > fast
AssertionError: expected +0 to be 1 // Object.is equality

- Expected
+ Received

- 1
+ 0

 ❯ a.test.mjs:4:46

 Test Files  2 failed | 1 passed (3)
      Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)
`;
const VITEST_VERBOSE = ` RUN  v4.1.12 /tmp/evid/tspk/v

 ✓ a.test.mjs > calc > adds 2ms
 × a.test.mjs > calc > subtracts > fast 5ms
   → expected +0 to be 1 // Object.is equality
 ↓ a.test.mjs > calc > later
 □ a.test.mjs > calc > todo
 ✓ a.test.mjs > slow one 438ms
stdout | b.test.mjs > other
✓ printed

 ✓ b.test.mjs > other 3ms

 FAIL  c.test.mjs [ c.test.mjs ]
Error: cannot load
 ❯ c.test.mjs:2:28

 FAIL  a.test.mjs > calc > subtracts > fast
AssertionError: expected +0 to be 1 // Object.is equality

- Expected
+ Received

- 1
+ 0

 ❯ a.test.mjs:4:46

 Test Files  2 failed | 1 passed (3)
      Tests  1 failed | 3 passed | 1 skipped | 1 todo (6)
`;
const JEST = `FAIL ./a.test.js
  ● calc › subtracts > fast

    expect(received).toBe(expected) // Object.is equality

    Expected: 1
    Received: 0

FAIL ./c.test.js
  ● Test suite failed to run

    cannot load

PASS ./b.test.js
  ● Console

    console.log
      ✓ printed

Test Suites: 2 failed, 1 passed, 3 total
Tests:       1 failed, 1 skipped, 1 todo, 3 passed, 6 total
Snapshots:   0 total
Time:        0.921 s, estimated 1 s
Ran all test suites.
`;
const JEST_ONE = `FAIL ./a.test.js
  ✓ slow one (403 ms)
  calc
    ✓ adds (1 ms)
    ✕ subtracts > fast (2 ms)
    ○ skipped later
    ✎ todo todo

  ● calc › subtracts > fast

    expect(received).toBe(expected) // Object.is equality

    Expected: 1
    Received: 0

Test Suites: 1 failed, 1 total
Tests:       1 failed, 1 skipped, 1 todo, 2 passed, 5 total
Snapshots:   0 total
Time:        0.739 s, estimated 1 s
Ran all test suites matching /a.test.js/i.
`;
const JEST_GOOD = `PASS ./a.test.js
  ✓ slow one (425 ms)
  calc
    ✓ adds (13 ms)
    ✓ subtracts > fast
    ○ skipped later
    ✎ todo todo

Test Suites: 1 passed, 1 total
Tests:       1 skipped, 1 todo, 3 passed, 5 total
Snapshots:   0 total
Time:        0.735 s, estimated 1 s
Ran all test suites matching /a.test.js/i.
`;
const JEST_VERBOSE = `FAIL ./a.test.js
  ✓ slow one (402 ms)
  calc
    ✓ adds (2 ms)
    ✕ subtracts > fast (2 ms)
    ○ skipped later
    ✎ todo todo

  ● calc › subtracts > fast

    expect(received).toBe(expected) // Object.is equality

    Expected: 1
    Received: 0

  console.log
    ✓ printed

PASS ./b.test.js
  ✓ other (15 ms)

FAIL ./c.test.js
  ● Test suite failed to run

    cannot load

Test Suites: 2 failed, 1 passed, 3 total
Tests:       1 failed, 1 skipped, 1 todo, 3 passed, 6 total
Snapshots:   0 total
Time:        0.878 s, estimated 1 s
Ran all test suites.
`;
const MOCHA = `  ✔ slow one (401ms)
✓ printed
  ✔ other
  calc
    ✔ adds
    1) subtracts > fast
    - later
    - todo

  3 passing (411ms)
  2 pending
  1 failing

  1) calc
       subtracts > fast:

      AssertionError [ERR_ASSERTION]: 0 == 1
      + expected - actual

      -0
      +1
      
`;
const MOCHA_GOOD = `  ✔ slow one (401ms)
✓ printed
  ✔ other
  ✔ third
  calc
    ✔ adds
    ✔ subtracts > fast
    - later
    - todo

  5 passing (414ms)
  2 pending
`;
const MOCHA_DOT = `  .✓ printed
....,,

  5 passing (404ms)
  2 pending
`;

const named = (output: string) =>
  suiteNames(output)?.map(({ file, name, result }) => `${file}|${name}|${result}`) ?? null;
const IN_A = [
  'slow one|passed',
  'adds|passed',
  'subtracts > fast|failed',
  'later|left_out',
  'todo|left_out',
];

it('mocha names each test, whatever a test prints', () => {
  const [slow = '', ...rest] = IN_A.map((one) => `|${one}`);
  expect(named(MOCHA)).toEqual([slow, '|other|passed', ...rest]);
});

it('jest names each test of a single file, and all in its verbose form', () => {
  const all = IN_A.map((one) => `./a.test.js|${one}`);
  expect(named(JEST_ONE)).toEqual(all);
  expect(named(JEST_VERBOSE)).toEqual([...all, './b.test.js|other|passed', './c.test.js||failed']);
});

it('vitest names all in its verbose form, with their suites', () => {
  expect(named(VITEST_VERBOSE)).toEqual([
    'a.test.mjs|calc > adds|passed',
    'a.test.mjs|calc > subtracts > fast|failed',
    'a.test.mjs|calc > later|left_out',
    'a.test.mjs|calc > todo|left_out',
    'a.test.mjs|slow one|passed',
    'b.test.mjs|other|passed',
    'c.test.mjs||failed',
  ]);
});

it.each([
  ['vitest, which names slow tests and those beside one that failed', VITEST],
  ['jest with several files', JEST],
  ['the dots of mocha', MOCHA_DOT],
  ['a run that counts another number of tests', MOCHA.replace('3 passing', '4 passing')],
  ['two runs, of which each counts its own', `${MOCHA}${MOCHA_GOOD}`],
])('an output that does not name all tests tells none: %s', (_what, output) => {
  expect(named(output)).toEqual([]);
});

it('another output is none of theirs', () => {
  expect(named('1 passed in 0.1s\n')).toBeNull();
});

it.each([
  ['mocha', MOCHA, MOCHA_GOOD],
  ['jest', JEST_ONE, JEST_GOOD],
  ['vitest', VITEST_VERBOSE, VITEST_VERBOSE.replace('×', '✓').replace('1 failed | 3', '4')],
])('a test that was red is seen passing, or is missing: %s', (_runner, before, after) => {
  const red = redTests(before).filter(({ name }) => name !== '');
  expect(red.map(({ name }) => name.split(' > ').slice(-2).join(' > '))).toEqual([
    'subtracts > fast',
  ]);
  expect(seenTests(red, after, () => null)).toMatchObject({ missing: [], isNamed: true });
  const other = after.replaceAll('subtracts > fast', 'something else');
  expect(seenTests(red, other, () => null).missing).toHaveLength(1);
});

it('of a file that could not be loaded each test that its text names must end', () => {
  const red = redTests(VITEST_VERBOSE).filter(({ name }) => name === '');
  const text = "describe('more', () => {\n  test('third', () => {});\n});\n";
  const loaded = VITEST_VERBOSE.replace('1 failed | 3', '1 failed | 4').replace(
    ' ✓ b.test',
    ' ✓ c.test.mjs > more > third 1ms\n ✓ b.test',
  );
  expect(seenTests(red, loaded, () => text).missing).toEqual([]);
  expect(seenTests(red, loaded.replace('third', 'fourth'), () => text).missing).toEqual([
    'c.test.mjs',
  ]);
});
