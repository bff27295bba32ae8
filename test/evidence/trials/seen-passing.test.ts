/** Tests that were red before the work, and what a run that names its tests shows of them. */
import { describe, expect, it } from 'vitest';
import type { Evidence } from '../../../src/evidence/evidence.ts';
import type { SeenTests } from '../../../src/schema/evidence.ts';
import { type Answers, GIVEN_TESTS, judged, OWN_TESTS, ran } from '../judge-support.ts';

const RED = [{ name: 'a::b', file: 'a', of: 2 }];
const COUNTED = '2 failed, 3 passed in 0.1s\n';
const SHOWN = 'proof passed: python -m pytest -q (3 passed); before the first change it failed';

const claim = (
  seen: Partial<SeenTests> | null,
  { red = RED, output = COUNTED, cmd = 'python -m pytest -q', passes = true } = {},
  more: Partial<Evidence> = {},
) => {
  const usual = { missing: ['a::b'], isNamed: true, isUnnamed: false, isCutOff: false, passed: 3 };
  const answers: Answers = {
    'before again': ran(false, { red, output }),
    ...(seen === null ? {} : { seen: ran(passes, { seen: { ...usual, ...seen } }) }),
  };
  return judged({ ...GIVEN_TESTS, proof: { cmd }, before: 'failing', ...more }, answers);
};

describe('a test that was red', () => {
  it('shows the work where it is among those that pass', async () => {
    expect(await claim({ missing: [] })).toMatchObject({ isProved: true, words: SHOWN });
  });

  it('shows nothing where others are named and it is not', async () => {
    expect(await claim({})).toMatchObject({
      isProved: false,
      mend: 'earlier_tests_fail',
      words:
        'python -m pytest -q passes, but a::b failed before the first change and is not among the tests that pass',
    });
  });

  it('shows nothing where no test is named or counted any more', async () => {
    const silent = { isNamed: false, passed: null };
    expect(await claim(silent)).toMatchObject({ isProved: false });
    expect(await claim({ ...silent, missing: [] }, { red: [], output: '' })).toMatchObject({
      isProved: false,
      words: 'python -m pytest -q passes, but nothing shows that its tests came to their end',
    });
  });

  it('shows nothing where a part of the run that names no test has fewer', async () => {
    const output = '# pass 4\n# fail 1\nRan 3 tests in 0.001s\n\nFAILED (failures=1)\n';
    const red = [{ name: 'a', file: '', of: 1 }];
    expect(await claim({ missing: [], passed: 5 }, { red, output })).toMatchObject({
      isProved: false,
      words: 'python -m pytest -q passes, but nothing shows that its tests came to their end',
    });
    expect(await claim({ missing: [], passed: 8 }, { red, output })).toMatchObject({
      isProved: true,
    });
  });

  it('shows nothing where no test is named any more, and fewer pass than ran before', async () => {
    expect(await claim({ isNamed: false })).toMatchObject({ isProved: false });
    expect(await claim({ isNamed: false, passed: 5 })).toMatchObject({ isProved: true });
  });

  it('shows nothing where the run was cut off', async () => {
    expect(await claim({ isCutOff: true, missing: [] })).toMatchObject({ isProved: false });
  });

  it('shows the work where none is named and no fewer pass than ran before', async () => {
    expect(await claim({ isNamed: false, passed: 5 })).toMatchObject({ words: SHOWN });
  });

  it('shows the work under another name where no fewer of the same tests pass', async () => {
    const renamed = { areRenamed: true as const };
    expect(await claim({ ...renamed, passed: 5 })).toMatchObject({ isProved: true, words: SHOWN });
    expect(await claim({ ...renamed, passed: 4 })).toMatchObject({ isProved: false });
    // A file whose process ended counts as a test that passed.
    expect(await claim({ passed: 5 })).toMatchObject({ isProved: false });
  });

  it.each([
    ['was cut off', { output: `!!! stopping after 1 failures !!!\n${COUNTED}` }],
    ['could not load a file', { red: [...RED, { name: '', file: 'c', of: 1 }] }],
    ['had a part before its last', { output: `# pass 4\n# fail 0\n\n# pass 3\n# fail 2\n` }],
  ])('has no other name where the run that failed %s', async (_, was) => {
    expect(await claim({ areRenamed: true, passed: 5 }, was)).toMatchObject({ isProved: false });
  });

  it('has no other name where the goal asks for tests', async () => {
    const wanted = { wantedTests: ['test_a.py'] };
    expect(await claim({ areRenamed: true, passed: 5 }, {}, wanted)).toMatchObject({
      isProved: false,
    });
  });

  it('is said to be unknown where nobody can tell', async () => {
    const unnamed = `${SHOWN}; its output does not name the tests that pass`;
    expect(await claim({ isUnnamed: true, passed: null })).toMatchObject({ words: unnamed });
    expect(await claim({}, { passes: false })).toMatchObject({
      isProved: true,
      words: `${SHOWN}; which of its tests passed is not known: it fails in a copy where they are named`,
    });
  });

  it('shows nothing where tests fail without those that the run added', async () => {
    const failing = ran(false, { failed: ['test_a.py::test_b'] });
    const answers = { 'before again': ran(false, { red: RED, output: COUNTED }), seen: failing };
    expect(await judged({ ...GIVEN_TESTS, before: 'failing' }, answers)).toMatchObject({
      isProved: false,
      mend: 'earlier_tests_fail',
      words:
        'python -m pytest -q passes, but not without the tests that this run added: test_a.py::test_b',
    });
  });

  it('is not asked for where nothing says that tests were red', async () => {
    const { words, asked } = await claim(null, { red: [], output: 'no\n', cmd: 'node a.test.mjs' });
    expect(words).toBe(SHOWN.replace('python -m pytest -q', 'node a.test.mjs'));
    expect(asked).toEqual(['before again', 'unchanged', 'before again']);
  });
});

describe('a test of the run that fails with its code emptied', () => {
  const own = (passed: number, seen: Partial<SeenTests> = {}) => {
    const usual = { missing: ['a::b'], isNamed: true, isUnnamed: false, isCutOff: false, passed };
    return judged(OWN_TESTS, {
      unchanged: ran(true, { output: `${passed} passed in 0.1s\n` }),
      'emptied a.py': ran(false, { red: RED, output: COUNTED }),
      seen: ran(true, { seen: { ...usual, ...seen } }),
    });
  };

  it('shows the work where as many pass as ran then, without another trial', async () => {
    const { isProved, asked } = await own(5);
    expect([isProved, asked.includes('seen')]).toEqual([true, false]);
  });

  it('must be among those that pass where fewer do', async () => {
    expect(await own(4)).toMatchObject({
      isProved: false,
      words:
        'python -m pytest -q passes, but a::b failed with a.py emptied and is not among the tests that pass',
    });
    expect(await own(4, { missing: [] })).toMatchObject({ isProved: true });
  });
});
