/** Tests that were renamed with the code: which changes are that, and what is said of them. */
import { describe, expect, it } from 'vitest';
import { renamesIn, replacedWords } from '../../src/evidence/renamed.ts';
import { GIVEN_TESTS, GREEN, judged, RED, ran } from './judge-support.ts';

const TEST = "import { old } from './a.mjs';\ntest('old', () => assert.equal(old(2), 5));\n";
const RENAMED = TEST.replaceAll('old', 'fresh');

describe('words that took the place of others', () => {
  it('are known where nothing else is new', () =>
    expect(replacedWords(TEST, RENAMED)).toEqual(new Map([['old', 'fresh']])));

  it.each([
    ['another figure', TEST.replace('5', '6')],
    ['another sign', TEST.replace('old(2)', '-old(2)')],
    ['a word that stayed at one place', TEST.replace('old', 'fresh')],
    ['two words that became one', RENAMED.replaceAll('equal', 'fresh')],
    ['a word more', `${RENAMED}test\n`],
    ['a figure with a letter', TEST.replace('5', '0x5')],
  ])('are none where there is %s', (_, now) => expect(replacedWords(TEST, now)).toBeNull());
});

describe('names in tests that were there', () => {
  const code = 'export const fresh = (n) => n;\n';
  const found = (more: object = {}, goal = 'Rename old to fresh') => {
    const texts: { [path: string]: string } = { 'a.mjs': code, 'a.test.mjs': RENAMED, ...more };
    return renamesIn(['a.test.mjs'], {
      goal,
      files: Object.keys(texts),
      before: () => TEST,
      now: (path) => texts[path] ?? null,
    });
  };

  it('became others where no code has the old ones any more', () =>
    expect(found({ 'NOTES.md': 'It was called old.\n' })).toEqual(['fresh for old']));
  it('did not where code still has an old one, or a file is called so', () => {
    expect(found({ 'a.mjs': `${code}export { fresh as old };\n` })).toEqual([]);
    expect(found({ 'lib/old.mjs': '' })).toEqual([]);
  });
  it('did not where the goal has none of the new ones', () =>
    expect(found({}, 'Make the tests pass')).toEqual([]));
});

describe('a rename in tests that were there', () => {
  const evidence = {
    ...{ ...GIVEN_TESTS, before: 'passed' as const, changedTests: ['a.test.mjs'] },
    renames: ['fresh for old'],
  };
  const answers = { old_tests: RED, old_code: RED, 'emptied a.py': RED };

  it('claims nothing, since the old name may have to stay, and asks for no work', async () => {
    const verdict = await judged(evidence, answers);
    expect(verdict).toMatchObject({ isProved: false });
    expect(verdict.words).toBe(
      'proof passed: python -m pytest -q (3 passed); checked: the tests of this run fail with the code as it was before; but a.test.mjs passes only with fresh for old',
    );
    expect(verdict).not.toHaveProperty('mend');
  });

  it('is no objection where the tests pass as they were, too', async () =>
    expect(await judged(evidence, { ...answers, old_tests: GREEN })).toMatchObject({
      isProved: true,
    }));

  it('is told beside tests that are red as before', async () => {
    const output = '1 failed, 3 passed in 0.01s\n';
    const red = ran(false, { output, failed: ['other'] });
    const reds = [{ cmd: 'pytest', failedBefore: ['other'] }];
    const { words } = await judged({ ...evidence, reds }, { ...answers, red });
    expect(words).toMatch(/only with fresh for old; pytest fails as before this run: other$/);
  });
});
