/** Tests that were there, beside a program that passes: they may fail as before, and not more. */
import { describe, expect, it } from 'vitest';
import type { TrialAnswer } from '../../../src/evidence/evidence.ts';
import { GREEN, judged, NONE, PROGRAM, RED, ran } from '../judge-support.ts';

const failing = (count: number, failed: readonly string[] = []): TrialAnswer =>
  ran(false, {
    failed,
    word: `${count}${failed}`,
    output: ` Tests  ${count} failed | 3 passed (${count + 3})\n`,
  });

describe('tests that were there', () => {
  const seen = async (now: TrialAnswer, before: TrialAnswer) => {
    const changed = { isNew: false, newCode: [], hasGivenTests: true, hasChangedOldCode: true };
    const { isProved, words } = await judged({ ...PROGRAM, ...changed }, (_, question) =>
      question.what === 'given_tests'
        ? { new: now, old: before }[question.code as string]
        : { before: RED }[question.what as string],
    );
    return isProved ? 'proved' : words;
  };
  const NAMED = 'tests that were there fail with the new code: zero';
  const UNNAMED = 'tests that were there fail with the new code';

  it.each<[string, TrialAnswer, TrialAnswer, string]>([
    ['pass', GREEN, GREEN, 'proved'],
    ['cannot be run', NONE, NONE, 'proved'],
    ['fail by the same names', failing(1, ['zero']), failing(1, ['zero']), 'proved'],
    ['fail by a new name', failing(1, ['zero']), failing(1, ['one']), NAMED],
    ['fail, and passed before', failing(1, ['zero']), GREEN, NAMED],
    ['fail as many without a name', failing(2), failing(2), 'proved'],
    ['fail more without a name', failing(3), failing(2), UNNAMED],
    ['fail more than are named', failing(3, ['zero']), failing(2, ['zero']), UNNAMED],
    ['fail in the same words', RED, RED, 'proved'],
    ['fail in other words, uncounted', ran(false, { word: 'other' }), RED, UNNAMED],
  ])('where they %s', async (_, now, before, words) => expect(await seen(now, before)).toBe(words));
});
