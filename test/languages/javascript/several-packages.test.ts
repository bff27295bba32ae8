/** Tests of several packages at once, whose lines pnpm prefixes and mixes. */
import { expect, it } from 'vitest';
import { byPackage } from '../../../src/languages/javascript/several-packages.ts';
import {
  failedTests,
  testCountsIn,
  testsInAllParts,
} from '../../../src/languages/testing/test-output.ts';

/** pnpm 9 with vitest 1.6, shortened. */
const GREEN = `
> test
> pnpm -r test

Scope: 2 of 3 workspace projects
packages/a test$ vitest run
packages/a test:  ✓ test/calc.test.ts  (1 test) 1ms
packages/a test:  Test Files  1 passed (1)
packages/a test:       Tests  1 passed (1)
packages/a test: Done
packages/b test$ vitest run
packages/b test:  ✓ test/twice.test.ts  (1 test) 2ms
packages/b test:  Test Files  1 passed (1)
packages/b test:       Tests  1 passed (1)
packages/b test: Done
`;
const RED = `Scope: 2 of 3 workspace projects
packages/a test$ vitest run
packages/a test:  ❯ test/calc.test.ts  (1 test | 1 failed) 10ms
packages/a test:    ❯ test/calc.test.ts > adds
packages/a test: ⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯
packages/a test:  FAIL  test/calc.test.ts > adds
packages/a test: AssertionError: expected -1 to be 5 // Object.is equality
packages/a test:  ❯ test/calc.test.ts:1:114
packages/a test:  Test Files  1 failed (1)
packages/a test:       Tests  1 failed (1)
packages/a test: Failed
packages/b test$ vitest run
packages/b test:  ❯ test/twice.test.ts  (1 test | 1 failed) 6ms
packages/b test:    ❯ test/twice.test.ts > doubles
packages/b test: ⎯⎯⎯⎯⎯⎯⎯ Failed Tests 1 ⎯⎯⎯⎯⎯⎯⎯
packages/b test:  FAIL  test/twice.test.ts > doubles
packages/b test: AssertionError: expected +0 to be 4 // Object.is equality
packages/b test:  ❯ test/twice.test.ts:1:119
packages/b test:  Test Files  1 failed (1)
packages/b test:       Tests  1 failed (1)
packages/b test: Failed
 ERR_PNPM_RECURSIVE_FAIL  


Summary: 2 fails, 0 passes

/tmp/mono/packages/a:
 ERROR  @m/a@1.0.0 test: \`vitest run\`
Exit status 1

/tmp/mono/packages/b:
 ERROR  @m/b@1.0.0 test: \`vitest run\`
Exit status 1
`;

it('are counted, and those that fail named, as where they run alone', () => {
  expect(testCountsIn(GREEN)).toEqual({ passed: 2, failed: 0 });
  expect(testsInAllParts(GREEN)).toEqual({ passed: 2, skipped: 0 });
  expect(failedTests(RED)).toEqual(['adds', 'doubles']);
  expect(testCountsIn(RED)).toMatchObject({ failed: 2, passed: 0 });
});

it('are counted where turbo runs them', () => {
  const a = [
    ' FAIL  test/a.test.ts > adds',
    ' Test Files  1 failed (1)',
    '      Tests  1 failed | 2 passed (3)',
  ];
  const b = [
    ' ✓ test/b.test.ts  (3 tests) 6ms',
    ' Test Files  1 passed (1)',
    '      Tests  3 passed (3)',
  ];
  const output = [
    '• Running test in 2 packages',
    '@acme/a:test: cache miss, executing 7e3cee2336609d6d',
    '@acme/b:test: cache hit, replaying logs 4fe91862aec6f58c',
    ...a.flatMap((line, at) => [`@acme/a:test: ${line}`, `@acme/b:test: ${b[at]}`]),
    ' Tasks:    1 successful, 2 total',
  ].join('\n');
  expect(testCountsIn(output)).toMatchObject({ failed: 1, passed: 5 });
});

it('are told apart where their lines mix', () => {
  const mixed = [
    'Scope: 2',
    'a test$ x',
    'b test$ y',
    'b test: 1',
    'a test: 2: 3',
    'b test: 4',
    'end',
  ];
  expect(byPackage(mixed.join('\n')).split('\n')).toEqual([
    ...['Scope: 2', 'a test$ x', 'b test$ y', 'end'],
    ...['2: 3', '1', '4'],
  ]);
  const others = 'Error: a\nx test: 1\nError: b';
  expect(byPackage(others)).toBe(others);
});
