/** Tests that are red as they were before: what was shown is told, and nothing is claimed. */
import { describe, expect, it } from 'vitest';
import type { TrialAnswer } from '../../../src/evidence/evidence.ts';
import {
  type Answers,
  GIVEN_TESTS,
  GREEN,
  judged,
  NONE,
  PROGRAM,
  RED,
  ran,
} from '../judge-support.ts';

const OUTPUT = 'FAILED test_a.py::test_old - assert 1 == 2\n1 failed, 3 passed in 0.01s\n';
const AS_BEFORE = ran(false, { output: OUTPUT, failed: ['test_old'] });
const WORDS = 'pytest -q fails as before this run: test_old';

describe('a run of tests in which the same tests fail as before', () => {
  const reds = [{ cmd: 'pytest -q', failedBefore: ['test_old'] }];
  const seen = (answers: Answers, more = {}) =>
    judged({ ...GIVEN_TESTS, before: 'failing', reds, ...more }, { red: AS_BEFORE, ...answers });

  it('is named with its folder, since the same command may pass elsewhere', async () => {
    const cwd = 'packages/a';
    const { words } = await seen({}, { reds: reds.map((one) => ({ ...one, cwd })) });
    expect(words).toMatch(/; but pytest -q \(in packages\/a\) fails as before this run: test_old$/);
    const [now, unknown] = [RED, NONE].map((red) =>
      judged({ ...GIVEN_TESTS, reds: [{ cmd: 'pytest -q', cwd }] }, { red }),
    );
    expect((await now)?.words).toMatch(/^pytest -q \(in packages\/a\) failed in this run and/);
    expect((await unknown)?.words).toMatch(/^pytest -q \(in packages\/a\) failed in this run, and/);
  });

  it('is not named where others fail, whatever else speaks against the work', async () => {
    const red = {
      ...AS_BEFORE,
      output: OUTPUT.replaceAll('test_old', 'test_new'),
      failed: ['test_new'],
    };
    const { words } = await seen({ red }, { ownDependencies: ['node_modules/a/index.js'] });
    expect(words).toContain('node_modules/a/index.js');
    expect(words).not.toContain('fails as before');
  });

  it('hides nothing of what was shown, and nothing is claimed', async () => {
    const { isProved, words } = await seen({});
    expect(isProved).toBe(false);
    expect(words).toBe(
      `proof passed: python -m pytest -q (3 passed); before the first change it failed; but ${WORDS}`,
    );
  });

  it('is named beside what the proof does not show, and no work is asked for', async () => {
    const verdict = await seen({ old_tests: RED }, { changedTests: ['test_b.py'] });
    expect(verdict).toMatchObject({ isProved: false });
    expect(verdict.words).toMatch(/^test_b\.py was there before the run.*; pytest -q fails as/);
    expect(verdict).not.toHaveProperty('mend');
  });

  it('claims nothing however strong the proof is, since the goal may be about these tests', async () => {
    const example = { says: 'add(2, 3) gives 5', command: { cmd: 'python -c add' } };
    const examples = { held: [example], failed: [], others: [] };
    const { isProved, words } = await judged(
      { ...PROGRAM, reds, examples },
      { red: AS_BEFORE, example: RED },
    );
    expect(isProved).toBe(false);
    expect(words).toContain('as the goal says, add(2, 3) gives 5; but');
  });

  it('is none once it passes', async () =>
    expect(await seen({ red: GREEN })).toMatchObject({ isProved: true }));
});

describe('a run of tests that finds none at the end', () => {
  const NO_TESTS = { kind: 'none', why: 'there were no tests to run', hasNoTests: true } as const;
  const red = (own: { isOwn?: true }) => [{ cmd: 'pytest -q test_b.py::test_it', ...own }];
  const seen = (own: { isOwn?: true }, answer: TrialAnswer) =>
    judged({ ...GIVEN_TESTS, before: 'failing', reds: red(own) }, { red: answer });

  it('is no objection where only tests of the run failed in it, which it may rename', async () =>
    expect(await seen({ isOwn: true }, NO_TESTS)).toMatchObject({ isProved: true }));

  it('is one where it was about a test that was there', async () =>
    expect(await seen({}, NO_TESTS)).toMatchObject({
      isProved: false,
      words: expect.stringContaining('it is not known whether it passes now'),
    }));

  it.each([RED, NONE])('is one where they fail, or nobody knows', async (answer) =>
    expect(await seen({ isOwn: true }, answer)).toMatchObject({ isProved: false }),
  );
});
