/** A new test in a file that was there, and a proof that picks it alone. */
import { describe, expect, it } from 'vitest';
import type { TrialAnswer } from '../../../src/evidence/evidence.ts';
import { GIVEN_TESTS, GREEN, judged, NONE, RED, ran } from '../judge-support.ts';

const NO_TESTS = { kind: 'none', why: 'there were no tests to run', hasNoTests: true } as const;
const failing = (...failed: readonly string[]): TrialAnswer =>
  ran(false, { failed, output: `${failed.length} failed, 2 passed in 0.01s\n` });

describe('a file of tests of which the proof ran none before', () => {
  const picked = { ...GIVEN_TESTS, changedTests: ['test_a.py'] };
  /** The tests as they were with the new code, the same before the run, and all as it is now. */
  const seen = (
    given: { new: TrialAnswer; old?: TrialAnswer; now?: TrialAnswer },
    old_tests: TrialAnswer = NO_TESTS,
    more = {},
  ) =>
    judged({ ...picked, ...more }, (_, question) =>
      question.what === 'given_tests'
        ? given[question.code]
        : { old_tests, old_code: RED, emptied: RED, before: NO_TESTS }[question.what as string],
    );

  it('is tried whole, and passes as it was', async () => {
    expect(await seen({ new: GREEN })).toMatchObject({ isProved: true });
  });

  it('may hold a test that fails as before, and as it still does', async () => {
    const given = { new: failing('other'), old: failing('other', 'mended') };
    expect(await seen({ ...given, now: failing('other') })).toMatchObject({ isProved: true });
  });

  it('is weakened where a test that was red is gone, or passes in its present form alone', async () => {
    const verdict = await seen({ new: failing('adds'), old: failing('adds'), now: GREEN });
    expect(verdict).toMatchObject({ isProved: false, mend: 'earlier_tests_fail' });
    expect(verdict.words).toBe(
      'test_a.py was there before the run, which changed it: in its earlier form it fails with the new code: adds',
    );
  });

  it('is weakened where a test that passed before fails in its earlier form', async () => {
    const broken = { new: failing('adds'), old: GREEN, now: failing('adds') };
    expect(await seen(broken)).toMatchObject({ isProved: false, mend: 'earlier_tests_fail' });
  });

  it('shows nothing where it cannot be run whole, or not all that fails is named', async () => {
    const words = expect.stringContaining('in the earlier form the tests could not be run');
    for (const answer of [NONE, { kind: 'nothing' } as const, NO_TESTS])
      expect(await seen({ new: answer })).toMatchObject({ isProved: false, words });
    const unnamed = ran(false, { failed: [], output: '1 failed, 2 passed in 0.01s\n' });
    expect(await seen({ new: unnamed, old: unnamed, now: unnamed })).toMatchObject({
      ...{ isProved: false, words },
    });
  });

  it('is told with why it cannot be run', async () => {
    const why = 'the proof does not pass in a copy: Error: no such file';
    for (const verdict of [
      await seen({ new: GREEN }, { kind: 'none', why }),
      await seen({ new: { kind: 'none', why } }),
    ])
      expect(verdict.words).toBe(
        `test_a.py was there before the run, which changed it, and in the earlier form the tests could not be run: ${why}`,
      );
  });

  it('is tried by the runner of each file that was changed', async () => {
    const two = { changedTests: ['test_a.py', 'a.test.mjs', 'package.json'] };
    const verdict = await judged({ ...picked, ...two }, (name, question) =>
      question.what !== 'given_tests'
        ? { old_tests: NO_TESTS }[question.what as string]
        : name.endsWith('a.test.mjs')
          ? { new: failing('adds'), old: failing('adds'), now: GREEN }[question.code]
          : GREEN,
    );
    expect(verdict).toMatchObject({ isProved: false, mend: 'earlier_tests_fail' });
  });

  it('made with settings alone, by which tests are run, shows nothing', async () => {
    const settings = { changedTests: ['conftest.py'], newSettings: ['conftest.py'] };
    expect(await seen({ new: GREEN }, NO_TESTS, settings)).toMatchObject({ isProved: false });
    expect((await seen({ new: GREEN }, RED, settings)).words).toBe(
      'this run made conftest.py, by which tests are run: without it, the tests fail with the new code',
    );
  });
});

describe('tests that are as they were', () => {
  const was = ran(false, { output: '1 failed, 4 passed in 0.01s\n' });
  const now = (printed: string, before: TrialAnswer = was) =>
    judged(
      { ...GIVEN_TESTS, before: 'failing', testsBefore: 5, printed },
      { before, unchanged: ran(true, { output: printed }) },
    );

  it('show nothing where fewer of them pass than before', async () => {
    expect(await now('3 passed in 0.01s\n')).toMatchObject({
      ...{ isProved: false, mend: 'earlier_tests_fail' },
      words: 'python -m pytest -q passes with 3 tests, and before this run 4 passed',
    });
  });

  it('are counted in a run that prints them where the proof is quiet', async () => {
    const quiet = (passed: number) =>
      judged(
        { ...GIVEN_TESTS, before: 'failing', testsBefore: 5, printed: '' },
        {
          ...{ before: was, 'before again': was, put_back: was },
          seen: ran(true, {
            output: `${passed} passed in 0.01s\n`,
            seen: { missing: [], isNamed: true, isUnnamed: false, isCutOff: false, passed },
          }),
        },
      );
    expect(await quiet(5)).toMatchObject({ isProved: true });
    expect(await quiet(3)).toMatchObject({
      words: 'python -m pytest -q passes with 3 tests, and before this run 4 passed',
    });
  });

  it('show nothing where one that failed is skipped', async () => {
    const { isProved, words } = await now('4 passed, 1 skipped in 0.01s\n');
    expect([isProved, words]).toEqual([
      false,
      'python -m pytest -q passes, but skips 1 test more than before this run',
    ]);
  });

  it('show the work where what is gone was a failure and no test', async () => {
    expect(await now('4 passed in 0.01s\n')).toMatchObject({ isProved: true });
  });

  it('show the work where several runners count, one behind the other', async () => {
    expect(await now('4 passed in 0.01s\n# pass 2\n')).toMatchObject({
      ...{ isProved: true, asked: ['before again', 'seen'] },
    });
  });

  it('show the work where others were skipped before', async () => {
    const before = ran(false, { output: '1 failed, 4 passed, 1 skipped in 0.01s\n' });
    const { isProved } = await now('4 passed, 1 skipped in 0.01s\n', before);
    expect(isProved).toBe(true);
  });
});

it('earlier tests that fail are named where no line says what is wrong', async () => {
  const output = 'running 2 tests\ntest sums ... ok\ntest reads_digits ... FAILED\n';
  const evidence = { ...GIVEN_TESTS, changedTests: ['tests/value.rs'] };
  const { words } = await judged(evidence, { old_tests: ran(false, { output }) });
  expect(words).toContain('in its earlier form it fails with the new code: reads_digits');
});
