/** Tests that a run wrote for code that it did not change, beside tests that notice the same. */
import { describe, expect, it } from 'vitest';
import { ALONE, DONE, type edit, given, plan, play, read, write } from '../../support/play.ts';
import { type Answers, GIVEN_TESTS, GREEN, judged, NONE, RED } from '../judge-support.ts';

const NO_TESTS = { kind: 'none', why: 'there were no tests to run', hasNoTests: true } as const;

describe('tests for code that was not changed', () => {
  const added = {
    ...{ ...GIVEN_TESTS, hasChangedOldCode: false, before: 'passed' as const },
    changedTests: ['test_a.py'],
  };
  const notices = { old_tests: GREEN, 'emptied a.py': RED };
  const seen = (answers: Answers, more = {}) =>
    judged({ ...added, ...more }, { ...notices, ...answers });

  it.each([GREEN, NO_TESTS])('count where those that were there do not notice it', async (old) =>
    expect(await seen({ 'old_tests_emptied a.py': old })).toMatchObject({ isProved: true }),
  );

  it.each([RED, NONE])('do not where they do, or nobody knows', async (old) => {
    const verdict = await seen({ 'old_tests_emptied a.py': old });
    expect(verdict).toMatchObject({ isProved: false, mend: 'tests_notice_nothing' });
    expect(verdict.words).toBe(
      'nothing shows that the tests of this run notice more of a.py than those that were there: python -m pytest -q',
    );
  });

  it('count where they are red before, by tests that the goal wants changed', async () => {
    const wanted = { before: 'failing', changedTests: [], wantedTests: ['pytest.ini'] };
    expect(await seen({}, wanted)).toMatchObject({ isProved: true });
  });

  it('count by themselves where they stand in files of their own', async () => {
    const own = { changedTests: [], ownTests: ['test_b.py'] };
    const alone = (unchanged: typeof GREEN, emptied: typeof GREEN) =>
      judged({ ...added, ...own }, (name, question) =>
        !('own' in question)
          ? { ...notices, 'old_tests_emptied a.py': RED }[name]
          : question.what === 'unchanged'
            ? unchanged
            : emptied,
      );
    expect(await alone(GREEN, RED)).toMatchObject({ isProved: true });
    expect(await alone(GREEN, GREEN)).toMatchObject({ isProved: false });
    expect(await alone(RED, RED)).toMatchObject({ isProved: false });
  });
});

describe.concurrent('a goal that asks for a test of code that has one', () => {
  const files = { ...given, 'calc.mjs': 'export const add = (a, b) => a + b;\n' };
  const TEST = "test('negative', () => assert.equal(add(-2, -3), -5));\n";
  const ended = async (proof: string, ...work: readonly ReturnType<typeof edit>[]) => {
    const goal = 'Add a test of negative numbers for calc.mjs';
    const look = [read('calc.mjs'), read('calc.test.mjs')];
    const replies = [look, [plan(proof), ...work, DONE], [DONE]];
    const { ending, detail } = await play({ goal, files, replies });
    return { ending, detail };
  };
  const NONE_MORE = {
    ...{ ending: 'unverified', detail: expect.stringContaining('notice more of calc.mjs than') },
  };
  const FILE = 'calc.test.mjs';
  const append = (text: string) => write(FILE, `${given['calc.test.mjs']}${text}`);

  it('is not reached by a test that tests nothing', async () => {
    const empty = append("test('negative', () => {});\n");
    expect(await ended(ALONE, empty)).toMatchObject(NONE_MORE);
  });

  it('is reached by a test that notices by itself', async () => {
    expect(await ended(`node --test-name-pattern=negative ${FILE}`, append(TEST))).toMatchObject({
      ending: 'achieved',
    });
  });
});
