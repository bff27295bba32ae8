import { describe, expect, it } from 'vitest';
import { isInformativeLine, testCountsIn } from '../../../src/languages/testing/test-output.ts';
import { judgeCommand } from '../../../src/probe/command-verdict.ts';

/** The outputs below were printed by Go 1.26. */

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

const BUILD_FAILED = `# m [m.test]
./main_test.go:5:28: cannot use s (variable of type string) as int value in argument to Map
FAIL\tm [build failed]
?   \tm/sub\t[no test files]
FAIL
`;

describe('a test run of go', () => {
  const reasonOf = (output: string) => judgeCommand({ exitCode: 0, output, prints: 'ok' }).reason;

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
    expect(testCountsIn(FAILING)?.failed).toBe(2);
    expect(testCountsIn(BUILD_FAILED)).toBeNull();
  });

  it('has lines that tell what is wrong', () => {
    expect(FAILING.split('\n').filter(isInformativeLine)).toHaveLength(7);
    expect(BUILD_FAILED.split('\n').filter(isInformativeLine)).toEqual([
      './main_test.go:5:28: cannot use s (variable of type string) as int value in argument to Map',
    ]);
    expect(['FAIL', 'ok  \tm\t0.009s', 'exit status 3'].some(isInformativeLine)).toBe(false);
  });
});
