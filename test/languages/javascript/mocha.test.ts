/** Outputs are those of mocha 11 and c8 10, without colours. */
import { expect, it } from 'vitest';
import { failedIn, testCountsIn } from '../../../src/languages/testing/test-output.ts';

const FAILURES = `  1) root: with a colon:

      AssertionError [ERR_ASSERTION]: my message
      + expected - actual

      -false
      +true
      
      at Context.<anonymous> (a.test.cjs:13:32)
      at process.processImmediate (node:internal/timers:483:21)

  2) sums
       of two
         adds lists:

      AssertionError [ERR_ASSERTION]: Expected values to be strictly deep-equal:
+ actual - expected

  [
    1,
    {
+     a: 2
-     a: 3
    }
  ]
      + expected - actual

       [
         1
         {
      -    "a": 2
      +    "a": 3
         }
       ]
      
      at Context.<anonymous> (file:///home/zoe/sums/test/b.mjs:5:35)
      at process.processImmediate (node:internal/timers:483:21)

  3) sums
       of two
         throws:
     TypeError: Cannot read properties of undefined (reading 'x')
      at Context.<anonymous> (a.test.cjs:6:36)
      at process.processImmediate (node:internal/timers:483:21)

  4) sums
       of two
         waits:
     Error: Timeout of 50ms exceeded. For async tests and hooks, ensure "done()" is called; if returning a Promise, ensure it resolves. (/home/zoe/sums/a.test.cjs)
      at listOnTimeout (node:internal/timers:581:17)


`;
const HEAD = `
  1) root: with a colon
  sums
    of two
      2) adds lists
      ✔ passes
      - later


`;
const COUNTS = '  1 passing (59ms)\n  1 pending\n  4 failing\n\n';
const ROW = 'index.ts  |     100 |    97.32 |     100 |     100 | 167,205,277       \n';
const LINE = '----------|---------|----------|---------|---------|-------------------\n';
const COVERAGE = `${LINE}File      | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s \n${LINE}${ROW.repeat(12)}${LINE}`;

it('mocha tells what failed below its counts, and they are read all the same', () => {
  const output = `${HEAD}${COUNTS}${FAILURES}`;
  expect(testCountsIn(output)).toEqual({
    ...{ failed: 4, passed: 1 },
    first: 'root: with a colon: my message',
  });
});

it('a failure of mocha is a test, with the file of its stack and what is wrong', () => {
  expect(failedIn(`${HEAD}${COUNTS}${FAILURES}`)).toEqual([
    { file: 'a.test.cjs', test: 'root: with a colon', why: 'my message' },
    {
      ...{ file: 'b.mjs', test: 'sums of two adds lists' },
      why: 'Expected values to be strictly deep-equal: + actual - expected [ 1, { + a: 2 - a: 3 } ]',
    },
    {
      ...{ file: 'a.test.cjs', test: 'sums of two throws' },
      why: "TypeError: Cannot read properties of undefined (reading 'x')",
    },
    {
      ...{ file: '', test: 'sums of two waits' },
      why: expect.stringMatching(/^Error: Timeout of 50ms exceeded\./),
    },
  ]);
});

it.each([
  ['mocha in c8', '  26 passing (299ms)\n\n', 26],
  [
    'vitest',
    ' Test Files  2 passed (2)\n      Tests  75 passed (75)\n\n % Coverage report from v8\n',
    75,
  ],
])('counts are read above a table of coverage: %s', (_runner, counts, passed) => {
  expect(testCountsIn(`${counts}${COVERAGE}`)).toEqual({ failed: 0, passed });
});

it('of several runs, those with a table between them are counted, too', () => {
  const output = `  2 passing (9ms)\n\n${COVERAGE}\n# tests 3\n# pass 2\n# fail 1\n`;
  expect(testCountsIn(output)).toEqual({ failed: 1, passed: 4 });
});
