/** Outputs are those of jest 29 and vitest 4, without colours. */
import { expect, it } from 'vitest';
import { failedIn, testCountsIn } from '../../../src/languages/testing/test-output.ts';

const JEST = `FAIL src/lib/parse.test.ts
  ● parse › reads large counts

    expect(received).toEqual(expected) // deep equality

    - Expected  - 1
    + Received  + 1

      Array [
        Object {
    -     "count": 19,
    +     "count": 1,
          "sku": "a",
        },
      ]

    > 12 |     expect(parse('a;19')).toEqual([{ sku: 'a', count: 19 }]);
         |                           ^

      at Object.<anonymous> (src/lib/parse.test.ts:12:27)

  ● parse › adds

    expect(received).toBe(expected) // Object.is equality

    Expected: 3
    Received: -1

      at Object.<anonymous> (src/lib/parse.test.ts:15:27)

PASS src/stock.test.ts
FAIL browser src/broken.test.ts
  ● Test suite failed to run

    Cannot find module './nowhere' from 'src/broken.test.ts'

      at Resolver._throwModNotFoundError (node_modules/jest-resolve/build/index.js:863:11)

Summary of all failing tests
FAIL src/lib/parse.test.ts
  ● parse › adds

    Expected: 3
    Received: -1

Test Suites: 2 failed, 1 passed, 3 total
Tests:       2 failed, 2 passed, 4 total
`;
const VITEST = ` ❯ src/calendar.test.ts (1 test | 1 failed) 7ms
   × books a free slot 6ms

⎯⎯⎯⎯⎯⎯⎯ Failed Tests 3 ⎯⎯⎯⎯⎯⎯⎯

 FAIL  src/calendar.test.ts > books a free slot
AssertionError: expected 60 to be 12345 // Object.is equality

- Expected
+ Received

 FAIL  |web| src/time.test.tsx > overlaps > at the end
 FAIL  |web| src/time.test.tsx > overlaps > at the start
AssertionError: expected true to be false // Object.is equality

 FAIL  src/broken.test.ts [ src/broken.test.ts ]
Error: Cannot find module './nowhere' imported from src/broken.test.ts

 Test Files  3 failed (3)
      Tests  3 failed | 1 passed (4)
`;

it('jest names each test that failed, with what is wrong', () => {
  expect(failedIn(JEST)).toEqual([
    {
      file: 'src/lib/parse.test.ts',
      test: 'parse › reads large counts',
      why: 'is "count": 1, not "count": 19',
    },
    { file: 'src/lib/parse.test.ts', test: 'parse › adds', why: 'is -1, not 3' },
    {
      file: 'src/broken.test.ts',
      test: '',
      why: "Cannot find module './nowhere' from 'src/broken.test.ts'",
    },
  ]);
  expect(testCountsIn(JEST)).toEqual({
    ...{ failed: 2, passed: 2 },
    first: 'parse › reads large counts: is "count": 1, not "count": 19',
  });
});

it('vitest does, also where several fail alike', () => {
  expect(failedIn(VITEST).map(({ file, test, why }) => [file, test, why.split(' //')[0]])).toEqual([
    ['src/calendar.test.ts', 'books a free slot', 'AssertionError: expected 60 to be 12345'],
    ['src/time.test.tsx', 'overlaps > at the end', 'AssertionError: expected true to be false'],
    ['src/time.test.tsx', 'overlaps > at the start', 'AssertionError: expected true to be false'],
    [
      'src/broken.test.ts',
      '',
      "Error: Cannot find module './nowhere' imported from src/broken.test.ts",
    ],
  ]);
});
