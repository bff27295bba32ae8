/** What the scratch copy says, and what may be claimed by it: tables, without any process. */
import { describe, expect, it } from 'vitest';
import type { Evidence, TrialAnswer } from '../../src/evidence/evidence.ts';
import { GIVEN_TESTS, GREEN, judged, NONE, OWN_TESTS, PROGRAM, RED, ran } from './judge-support.ts';

const claims = (evidence: Evidence, answers?: Parameters<typeof judged>[1]) =>
  expect(judged(evidence, answers).then((one) => one.isProved)).resolves;

describe('a program', () => {
  it('is not proved by running, whatever it prints', async () => {
    expect(await judged(PROGRAM)).toEqual({
      isProved: false,
      words:
        'python tool.py runs, but no example in the goal shows what it must print: look at its output',
      asked: [],
    });
  });

  const changed = { ...PROGRAM, isNew: false, newCode: [], hasChangedOldCode: true };
  it('is proved where it failed before', () => claims(changed, { before: RED }).toBe(true));
  it('is not where it passed before', () => claims(changed, { before: GREEN }).toBe(false));
  it('is not where nobody knows', () => claims(changed, { before: NONE }).toBe(false));
  it('is not where there was none of its code before, and that is why it failed', () =>
    claims({ ...changed, newCode: ['b.py'] }, { before: RED }).toBe(false));
});

describe('tests that were there', () => {
  it('prove where they failed before and pass now', async () => {
    const { words } = await judged(GIVEN_TESTS, { before: RED });
    expect(words).toBe(
      'proof passed: python -m pytest -q (3 passed); before the first change it failed',
    );
  });
  it('prove as they were seen before the first change', async () => {
    expect(await judged({ ...GIVEN_TESTS, before: 'failing' })).toMatchObject({
      isProved: true,
      asked: ['before again', 'seen'],
    });
  });
  it('do not prove where the failure that was seen does not come again with the old files', async () => {
    const answers = { 'before again': GREEN };
    expect(await judged({ ...GIVEN_TESTS, before: 'failing' }, answers)).toMatchObject({
      isProved: false,
      words:
        'python -m pytest -q failed before the first change, but it passes with the files as they were, too',
    });
  });
  it('do not prove where they passed before', () =>
    claims(GIVEN_TESTS, { before: GREEN }).toBe(false));
  it('are said to pass as before where only they were changed, and no work is asked for', async () => {
    const alone = { code: [], hasChangedOldCode: false, changedTests: ['test_a.py'] };
    const verdict = await judged({ ...GIVEN_TESTS, ...alone }, { before: GREEN, old_tests: GREEN });
    expect(verdict.words).toBe(
      'python -m pytest -q passed before this run too: what it shows still holds, but it does not show what this run changed',
    );
    expect(verdict).not.toHaveProperty('mend');
  });
  it('do not prove where nobody knows', () => claims(GIVEN_TESTS).toBe(false));
  it('do not prove where the copy says nothing', () =>
    claims(GIVEN_TESTS, { unchanged: RED, before: RED }).toBe(false));

  const changed = { ...GIVEN_TESTS, before: 'failing' as const, changedTests: ['test_a.py'] };
  it('prove when they were changed, where they pass as they were', () =>
    claims(changed, { old_tests: GREEN }).toBe(true));
  it('prove by what was only added to them, where that fails without the work', async () => {
    const added = { ...changed, before: 'passed' as const };
    const pass = { old_tests: GREEN };
    await claims(added, { ...pass, old_code: RED, 'emptied a.py': RED }).toBe(true);
    await claims(added, { ...pass, old_code: GREEN, 'emptied a.py': RED }).toBe(false);
    await claims(added, { ...pass, old_code: RED, 'emptied a.py': GREEN }).toBe(false);
    await claims(added, { old_tests: RED, old_code: RED, 'emptied a.py': RED }).toBe(false);
  });
  it('do not prove when they were changed and fail as they were', async () => {
    const { isProved, words } = await judged(changed, { old_tests: RED });
    expect(isProved).toBe(false);
    expect(words).toContain('test_a.py was there before the run');
  });
  it('are named where their earlier form makes the tests fail, with what is wrong, and work can mend it', async () => {
    const two = { ...changed, changedTests: ['test_a.py', 'conftest.py'] };
    const output = 'test_a.py:3: ImportError: cannot import name old\n';
    const seen = await judged(two, {
      old_tests: RED,
      'old_tests test_a.py': ran(false, { output }),
      'old_tests conftest.py': GREEN,
    });
    expect(seen).toMatchObject({ isProved: false, mend: 'earlier_tests_fail' });
    expect(seen.words).toMatch(
      /^test_a\.py was there before the run, which changed it: in its earlier form it fails with the new code: .*cannot import name old/,
    );
  });
  it('are all named where they fail only together, or nobody knows which', async () => {
    const two = { ...changed, changedTests: ['test_a.py', 'conftest.py'] };
    const alone = { 'old_tests test_a.py': GREEN, 'old_tests conftest.py': GREEN };
    for (const answers of [alone, {}])
      expect((await judged(two, { old_tests: RED, ...answers })).words).toMatch(
        /^test_a\.py and conftest\.py were .*changed them: in their earlier form they fail/,
      );
  });
  it('do not prove when they were changed and cannot be run as they were', () =>
    claims(changed, { old_tests: NONE }).toBe(false));
  it('count as own ones where the goal wants them changed', async () => {
    const wanted = { ...changed, changedTests: [], wantedTests: ['test_a.py'] };
    await claims(wanted, { old_code: RED, 'emptied a.py': GREEN }).toBe(false);
    await claims(wanted, { old_code: RED, 'emptied a.py': RED }).toBe(true);
  });
});

describe('tests of its own', () => {
  it('prove where they fail when the code does nothing', async () => {
    const { isProved, words } = await judged(OWN_TESTS, { 'emptied a.py': RED });
    expect(isProved).toBe(true);
    expect(words).toBe(
      'proof passed: python -m pytest -q (3 passed); checked: the tests of this run fail with a.py emptied',
    );
  });
  it('do not prove where they pass even then', async () => {
    const { isProved, words } = await judged(OWN_TESTS, { 'emptied a.py': GREEN });
    expect(isProved).toBe(false);
    expect(words).toBe('the tests pass even when a.py does nothing: python -m pytest -q');
  });
  it('says nothing of tests that pass where the code gives back only constants', async () => {
    const answers = { 'emptied a.py': RED, 'constant a.py': GREEN };
    const { isProved, words, ...more } = await judged(OWN_TESTS, answers);
    expect({ isProved, ...more }).toMatchObject({ isProved: false, mend: 'tests_notice_nothing' });
    expect(words).toContain('even when a.py gives back only constants');
    await claims(OWN_TESTS, { ...answers, 'no_value a.py': RED }).toBe(false);
    const two = { ...OWN_TESTS, code: ['a.py', 'b.py'] };
    const both = { ...answers, 'emptied b.py': RED, 'constant b.py': GREEN };
    expect((await judged(two, both)).words).toContain('a.py and b.py give back only');
  });

  it('is known once the tests notice the values of one file, whatever another gives back', async () => {
    const two = { ...OWN_TESTS, code: ['main.py', 'a.py'] };
    const answers = { 'emptied main.py': RED, 'emptied a.py': RED, 'constant main.py': GREEN };
    await claims(two, { ...answers, 'constant a.py': RED }).toBe(true);
    await claims(two, { ...answers, 'constant a.py': GREEN }).toBe(false);
  });

  it('is known also where the code gives back no value at all, which constants leave as it is', async () => {
    const answers = { 'emptied a.py': RED, 'constant a.py': GREEN, 'no_value a.py': GREEN };
    await claims(OWN_TESTS, answers).toBe(true);
  });

  it('is known by the old code alone where nothing can be emptied', async () => {
    const added = { ...GIVEN_TESTS, ownTests: ['test_b.py'], before: 'passed' as const };
    const nothing = { 'emptied a.py': { kind: 'nothing' as const } };
    const red = await judged(added, { old_code: RED, ...nothing });
    expect(red).toMatchObject({ isProved: true });
    expect(red.words).toContain('fail with the code as it was before');
    const wasRed = { ...added, before: null };
    const other = await judged(wasRed, {
      before: RED,
      old_code: RED,
      ...nothing,
      old_tests: GREEN,
    });
    expect(other.words).not.toContain('nothing shows that its tests would notice a fault');
    const led = { ...added, ownTestsProve: false };
    await claims(led, { old_code: RED, ...nothing }).toBe(false);
  });

  it('of a model that is led need an example that newly holds, and does not come out for any input', async () => {
    const led = { ...OWN_TESTS, ownTestsProve: false };
    const example = { says: 'f(1) gives 2', command: { cmd: 'python -c f(1)' } };
    const call = { path: 'a.py', says: 'f(2)', cmd: 'python -c f(2)' };
    const held = { ...led, examples: { held: [example], failed: [], others: [] }, calls: [call] };
    const red = { 'emptied a.py': RED };
    await claims(led, red).toBe(false);
    await claims(held, { ...red, example: RED, call: RED }).toBe(true);
    await claims(held, { ...red, example: RED, call: GREEN }).toBe(false);
    await claims(held, { ...red, example: GREEN, call: RED }).toBe(false);
    await claims(held, { ...red, call: RED }).toBe(false);
    await claims(held, { 'emptied a.py': GREEN, example: RED, call: RED }).toBe(false);
  });

  it('do not prove where the example of the goal comes out for any input, and more work may mend that', async () => {
    const memorised = { ...OWN_TESTS, ignoredInputs: ['f(1) gives 2'] };
    expect(await judged(memorised, { 'emptied a.py': RED })).toMatchObject({
      isProved: false,
      words: 'what the goal says comes out for any input: f(1) gives 2',
      mend: 'tests_notice_nothing',
    });
  });

  it('are known by the old code where the time was over before all was emptied', async () => {
    const late: TrialAnswer = { ...NONE, isLate: true };
    const two = { ...GIVEN_TESTS, ownTests: ['b.py'], before: 'passed' as const, code: ['a', 'b'] };
    const answers = { old_code: RED, 'emptied a': RED, 'emptied b': late };
    expect((await judged(two, answers)).words).toContain('fail with the code as it was before');
    await claims(two, { ...answers, 'emptied a': GREEN }).toBe(false);
    await claims(two, { ...answers, 'emptied b': NONE }).toBe(false);
    await claims(two, { ...answers, old_code: late }).toBe(false);
    await claims({ ...two, newCode: ['a.py'] }, answers).toBe(false);
    await claims({ ...two, hasChangedOldCode: false }, answers).toBe(false);
  });

  it('do not prove beside a file that was to use the new code and is as before', async () => {
    const { words } = await judged(
      { ...OWN_TESTS, ineffectiveEdits: ['b.py'] },
      { 'emptied a.py': RED },
    );
    expect(words).toBe(
      'python -m pytest -q passes, but b.py is unchanged, although the plan changes it',
    );
  });
  it('do not prove where one of two files is not looked at', () =>
    claims(
      { ...OWN_TESTS, code: ['a.py', 'b.py'] },
      {
        'emptied a.py': RED,
        'emptied b.py': GREEN,
      },
    ).toBe(false));
  it('do not prove where there is nothing to take away', () =>
    claims(OWN_TESTS, { 'emptied a.py': { kind: 'nothing' } }).toBe(false));
  it('pass over a file without functions beside one that is noticed', () =>
    claims(
      { ...OWN_TESTS, code: ['a.py', 'b.py'] },
      {
        'emptied a.py': { kind: 'nothing' },
        'emptied b.py': RED,
      },
    ).toBe(true));
  it('do not prove where the copy cannot be asked', () => claims(OWN_TESTS).toBe(false));

  it.each([GIVEN_TESTS, { ...PROGRAM, isNew: false }])(
    'and programs that passed before are not tried without what the goal names',
    async (given) => {
      const passed = { ...given, before: 'passed' as const, namedInputs: ['data.csv'] };
      const { words, asked } = await judged(passed);
      expect(words).toContain('passed before this run too');
      expect(asked).toEqual([]);
    },
  );

  const added = { ...GIVEN_TESTS, before: 'passed' as const, ownTests: ['test_b.py'] };
  it('prove a change of old code that they would have failed without', () =>
    claims(added, { old_code: RED, 'emptied a.py': RED }).toBe(true));
  it('are not tried with all as it was where the proof names what was not there', async () => {
    const { isProved, asked } = await judged(
      { ...added, before: null, isNew: true },
      { old_code: RED, 'emptied a.py': RED },
    );
    expect({ isProved, isAsked: asked.includes('before') }).toEqual({
      isProved: true,
      isAsked: false,
    });
  });
  it('do not prove a change that they would pass without', () =>
    claims(added, { old_code: GREEN, 'emptied a.py': RED }).toBe(false));
});

describe('whatever the proof is', () => {
  const hello: Evidence = { ...PROGRAM, isNew: false, newCode: [], before: 'failing' };

  it('is doubted of a folder below which files changed, in true words', async () => {
    const named = { ...hello, namedInputs: ['services/b'], changedPaths: ['services/b/a.py'] };
    const answers = { unchanged: GREEN, 'without services/b': GREEN };
    expect((await judged(named, answers)).words).toContain(
      'services/b was changed, but python tool.py does the same without it; the goal names it',
    );
  });

  it('a given file that the goal names is used where the proof ends otherwise without it', async () => {
    const named = { ...hello, namedInputs: ['in.csv'] };
    await claims(named, { 'without in.csv': RED }).toBe(true);
    await claims(named, { 'without in.csv': GREEN }).toBe(false);
    await claims(named, { 'without in.csv': NONE }).toBe(false);
  });

  it('other output shows use only where the output is always the same', async () => {
    const named = { ...hello, namedInputs: ['in.csv'] };
    const other = ran(true, { word: 'other' });
    await claims(named, { 'without in.csv': other, 'unchanged again': GREEN }).toBe(true);
    await claims(named, {
      'without in.csv': other,
      'unchanged again': ran(true, { word: 'third' }),
    }).toBe(false);
  });

  it('an earlier one that still fails is not forgotten', async () => {
    const swapped = { ...hello, earlierProofs: [{ proof: { cmd: 'python check.py' } }] };
    await claims(swapped, { first_proof: GREEN }).toBe(true);
    await claims(swapped, { first_proof: NONE }).toBe(true);
    const { isProved, words } = await judged(swapped, { first_proof: RED });
    expect(isProved).toBe(false);
    expect(words).toContain('python check.py');
  });
});

describe('what a template states of its proof', () => {
  it('proves a program that was not there, and none that printed the same before', async () => {
    const { isProved, words } = await judged({ ...PROGRAM, stated: '5' }, {});
    expect(isProved).toBe(true);
    expect(words).toBe('proof passed: python tool.py; as the template says, it prints "5"');
    await claims({ ...PROGRAM, isNew: false, stated: '5' }, { before: GREEN }).toBe(false);
  });
});

describe('a literal example of the goal', () => {
  const example = (says: string) => ({ says, command: { cmd: says } });
  const held = { held: [example('add(2, 3) gives 5')], failed: [], others: [] };
  const adds: Evidence = { ...PROGRAM, examples: held };

  it('proves a program where it did not hold before', async () => {
    const { isProved, words } = await judged(adds, { example: RED });
    expect(isProved).toBe(true);
    expect(words).toBe('proof passed: python tool.py; as the goal says, add(2, 3) gives 5');
  });
  it('proves also what ran before', () =>
    claims({ ...adds, isNew: false }, { example: RED, before: GREEN }).toBe(true));
  it('is named where it held before, or nobody could try it there', async () => {
    const was = await judged(adds, { example: GREEN });
    expect(was.words).toBe(
      'python tool.py passes, but what the goal says held before this run too: add(2, 3) gives 5',
    );
    const untried = await judged(adds, { example: NONE });
    expect(untried.words).toBe(
      'python tool.py passes, but it is not known what held before this run: no time',
    );
  });
  it('is named beside tests of the run alone, and never said to be missing where there is one', async () => {
    const led: Evidence = { ...OWN_TESTS, ownTestsProve: false };
    const why = async (examples: Evidence['examples'], example: TrialAnswer) =>
      (await judged({ ...led, examples }, { 'emptied a.py': RED, example })).words.split(': ')[1];
    expect(await why(held, NONE)).toBe('it is not known what held before this run');
    expect(await why(held, GREEN)).toBe('what the goal says held before this run too');
    expect(await why({ ...held, held: [], others: ['f(1) gives 2'] }, NONE)).toBe(
      'what the goal says was set aside or could not be tried',
    );
    expect(await why({ ...held, held: [] }, NONE)).toBe(
      'the goal shows no example that they were held against',
    );
  });
  it('tells how things were where it held before', () =>
    claims(adds, { example: GREEN }).toBe(false));
  it('says nothing where nobody knows how it was', () => claims(adds, {}).toBe(false));
  it('does not prove where the same comes out for any input', async () => {
    const calls = ['add(3, 3)', 'add(2, 4)'].map((says) => ({ path: 'tool.py', says, cmd: says }));
    const answers = { example: RED, call: GREEN };
    expect(await judged({ ...adds, calls }, answers)).toMatchObject({
      isProved: false,
      words: 'what the goal says of add(3, 3) and add(2, 4) comes out for any input',
    });
    await claims({ ...adds, calls }, { example: RED, call: RED }).toBe(true);
  });
  it('proves nothing beside one that does not hold', () =>
    claims(
      { ...OWN_TESTS, examples: { ...held, failed: [example('f(1) gives 2')] } },
      { example: RED },
    ).toBe(false));
});

it('tests of the run show nothing where each neighbour of an example gives what the example gives', async () => {
  const call = { path: 'a.py', says: 'initials("bo xi")', cmd: 'python -c x' };
  const answers = { 'emptied a.py': RED, 'constant a.py': RED, call: GREEN };
  const { isProved, words } = await judged({ ...OWN_TESTS, calls: [call] }, answers);
  expect(isProved).toBe(false);
  expect(words).toContain('comes out for any input');
  expect(await judged({ ...OWN_TESTS, calls: [call] }, { ...answers, call: RED })).toMatchObject({
    isProved: true,
  });
});
