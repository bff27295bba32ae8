/** Tests that fail with emptied code only because they crash, where no function can return a constant. */
import { expect, it } from 'vitest';
import type { AlterableLine, PlacedAlteration } from '../../../src/evidence/alterable.ts';
import type { Evidence, TrialAnswer, TrialQuestion } from '../../../src/evidence/evidence.ts';
import { GREEN, judged, NONE, OWN_TESTS, ran } from '../judge-support.ts';

const at = (path: string, line: number): PlacedAlteration => ({
  ...{ path, line, at: 0, from: '"a"', to: '"xa"' },
});
const line = (number: number): AlterableLine => ({
  alternatives: [at('a.go', number)],
  isGuess: false,
});
const WORK: Evidence = {
  ...OWN_TESTS,
  proof: { cmd: 'go test' },
  ...{ ownTests: ['a_test.go'], code: ['a.go'], newCode: ['a.go'], alterable: [1, 2, 3].map(line) },
  expectedIn: (_output, origin) => ({
    compared: [],
    others: origin === 'own_code_altered' ? [at('a_test.go', 7)] : [],
    last: null,
  }),
};
const failed = (why: string): TrialAnswer =>
  ran(false, { output: `--- FAIL: TestA (0.00s)\n${why}` });
const CRASH = failed('panic: nil\n\ta_test.go:5 +0x1');

/** @param altered what the tests do with a line of the code altered, alone and with other expectations */
const ends = (
  expecting: TrialAnswer,
  altered: (line: number, isAlone: boolean) => TrialAnswer = () => GREEN,
  more: Partial<Evidence> = {},
) =>
  judged({ ...WORK, ...more }, (_name, question: TrialQuestion) => {
    if (question.what === 'emptied') return question.tests === undefined ? CRASH : expecting;
    if (question.what !== 'altered') return undefined;
    const [first, ...others] = question.changes;
    return first?.path === 'a.go' ? altered(first.line, others.length === 0) : failed('got a');
  });

it('show nothing where they notice no other fault', async () => {
  const verdict = await ends(CRASH, (number) => (number === 1 ? CRASH : GREEN));
  expect(verdict).toMatchObject({ isProved: false, mend: 'tests_notice_nothing' });
  expect(verdict.words).toBe(
    'with a.go emptied the tests of this run fail in the same way whatever they expect, and they pass even with "xa" for "a" in a.go:2 and with "xa" for "a" in a.go:3: go test',
  );
});

it.each<[string, Parameters<typeof ends>]>([
  ['fail in another way once they expect something else', [failed('got nil')]],
  ['pass then', [GREEN]],
  ['cannot be tried', [NONE]],
  [
    'notice an alteration of the code by a comparison',
    [
      CRASH,
      (number, isAlone) =>
        number === 3 ? failed(isAlone ? 'a_test.go:7: got xa' : 'a_test.go:7: got a') : GREEN,
    ],
  ],
  ['miss few', [CRASH, (number) => (number === 1 ? GREEN : CRASH)]],
  ['have code of which little can be altered', [CRASH, () => GREEN, { alterable: [line(1)] }]],
])('show the work where they %s', async (_, told) => {
  expect(await ends(...told)).toMatchObject({ isProved: true });
});
