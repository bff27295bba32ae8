/** What tests that were asked for must show, each missing part by its name. */
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/evidence/evidence.ts';
import { type Answers, GREEN, judged, NONE, OWN_TESTS, PROGRAM, RED } from '../judge-support.ts';

const MADE: Evidence = { ...OWN_TESTS, askedTests: ['test_a.py'] };
const CHANGED: Evidence = { ...MADE, newCode: [], hasChangedOldCode: true };
const BESIDE: Evidence = { ...CHANGED, isNew: false, hasGivenTests: true };

const CASES: readonly (readonly [string, Evidence, Answers, string])[] = [
  ['no test file', { ...MADE, askedTests: [] }, {}, 'this run made no test file'],
  [
    'a proof that runs none',
    { ...PROGRAM, askedTests: ['test_a.py'] },
    {},
    'the proof runs none: python tool.py',
  ],
  ['green before', CHANGED, { old_code: GREEN }, 'pass before the work, too'],
  ['before is not known', CHANGED, { old_code: NONE }, 'not known whether they fail before'],
  ['green with the code emptied', MADE, { 'emptied a.py': GREEN }, 'pass with the code emptied'],
  [
    'emptied is not known',
    CHANGED,
    { old_code: RED, 'emptied a.py': NONE },
    'not known whether they fail with the code emptied: no time',
  ],
  [
    'nothing can be emptied',
    CHANGED,
    { old_code: RED, 'emptied a.py': { kind: 'nothing' } },
    'there is no code that could be emptied',
  ],
];

describe('tests that were asked for', () => {
  for (const [name, evidence, answers, words] of CASES)
    it(`${name}: nothing is claimed, and the end says so`, async () => {
      const verdict = await judged(evidence, answers);
      expect(verdict.isProved).toBe(false);
      expect(verdict.words).toContain(words);
    });

  it('are proved where they are red before and red with the code emptied', async () => {
    const seen = await judged(CHANGED, {
      old_code: RED,
      'emptied a.py': RED,
      'constant a.py': RED,
    });
    expect(seen.isProved).toBe(true);
  });

  it('are looked at without the tests that were there', async () => {
    const own: boolean[] = [];
    const verdict = await judged(BESIDE, (_name, question) => {
      if ('own' in question) own.push(question.own === true);
      if (question.what === 'unchanged') return GREEN;
      return 'own' in question && question.what === 'old_code' ? GREEN : RED;
    });
    expect(own).toEqual([true, true]);
    expect(verdict.words).toContain('those of this run pass before the work, too');
    const needing = await judged(BESIDE, (_name, question) => ('own' in question ? RED : GREEN));
    expect(needing.words).toContain('do not pass without the tests that were there');
  });
});
