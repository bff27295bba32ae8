/** Evidence of some runs, and a copy that answers from a table. */

import type { Evidence, TrialAnswer, TrialQuestion } from '../../src/evidence/evidence.ts';
import { judgeProof } from '../../src/evidence/judge.ts';

export const PROGRAM: Evidence = {
  proof: { cmd: 'python tool.py' },
  printed: 'done\n',
  isTestRun: false,
  isReading: false,
  before: null,
  testsBefore: null,
  isNew: true,
  newCode: ['tool.py'],
  hasGivenTests: false,
  changedTests: [],
  innerTests: [],
  testData: [],
  alterable: [],
  noticeable: [],
  expectedIn: () => ({ compared: [], others: [], last: null }),
  renames: [],
  newSettings: [],
  hasOtherWork: true,
  ownDependencies: [],
  reds: [],
  unsteady: [],
  redBefore: [],
  ownTests: [],
  wantedTests: [],
  askedTests: null,
  code: ['tool.py'],
  hasChangedOldCode: false,
  ineffectiveEdits: [],
  aside: [],
  earlierProofs: [],
  namedInputs: [],
  examples: { held: [], failed: [], others: [] },
  ignoredInputs: [],
  ownTestsProve: true,
  ...{ calls: [], stated: null, isGiven: false },
  changedOfProof: { programs: [], named: [], settings: [], isNew: false },
};

/** A module and its tests, both new. */
export const OWN_TESTS: Evidence = {
  ...PROGRAM,
  proof: { cmd: 'python -m pytest -q' },
  printed: '3 passed in 0.01s\n',
  isTestRun: true,
  ownTests: ['test_a.py'],
  code: ['a.py'],
  newCode: ['a.py'],
};

/** A fault mended under tests that were there. */
export const GIVEN_TESTS: Evidence = {
  ...OWN_TESTS,
  isNew: false,
  newCode: [],
  hasGivenTests: true,
  ownTests: [],
  hasChangedOldCode: true,
};

export const ran = (
  passed: boolean,
  more: Partial<Extract<TrialAnswer, { kind: 'ran' }>> = {},
): TrialAnswer => ({
  ...{ kind: 'ran', passed, exitCode: passed ? 0 : 1, output: '', word: 'as always' },
  ...more,
});
export const GREEN = ran(true);
export const RED = ran(false);
/** Everything that was red is seen passing. */
export const SEEN = ran(true, {
  seen: { missing: [], isNamed: true, isUnnamed: false, isCutOff: false, passed: 3 },
});
export const NONE = { kind: 'none', why: 'no time' } as const;

export type Answers = { readonly [question: string]: TrialAnswer };

const nameOf = (question: TrialQuestion): string =>
  [
    question.what,
    ...('path' in question ? [question.path] : []),
    ...('again' in question ? ['again'] : []),
    ...('stdin' in question ? [JSON.stringify(question.stdin)] : []),
  ].join(' ');

export async function judged(
  evidence: Evidence,
  answers: Answers | ((name: string, question: TrialQuestion) => TrialAnswer | undefined) = {},
) {
  const asked: string[] = [];
  const verdict = await judgeProof(evidence, async (question) => {
    const name = nameOf(question);
    asked.push(name);
    const answer = typeof answers === 'function' ? answers(name, question) : answers[name];
    const usual = question.what === 'unchanged' ? GREEN : question.what === 'seen' ? SEEN : NONE;
    return answer ?? usual;
  });
  return { ...verdict, asked };
}
