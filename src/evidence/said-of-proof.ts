/** Words about a proof, and the first question about it. Pure except for the trial that it requests. */
import { passedText } from '../languages/testing/test-output.ts';
import {
  type AskTrial,
  type Evidence,
  type TrialAnswer,
  unproved,
  type Verdict,
} from './evidence.ts';
import { noAnswer } from './trials/passing-examples.ts';

/** The proof, with the number of tests that it counted. */
export function passed({
  proof,
  printed,
  tests,
}: Pick<Evidence, 'proof' | 'printed' | 'tests'>): string {
  const counted = passedText(printed ?? '', tests);
  return `proof passed: ${proof.cmd}${counted === '' ? '' : ` (${counted})`}`;
}

export const unknownBecause = (
  { proof }: Evidence,
  missing: string,
  answer: TrialAnswer,
): Verdict => unproved(`${proof.cmd} passes, but ${missing}: ${noAnswer(answer)}`);

export const notNoticed = (words: string): Verdict => unproved(words, 'tests_notice_nothing');

export const PASSED_BEFORE =
  'passed before this run too: what it shows still holds, but it does not show what this run changed';

/** The proof's result before the work: as recorded then, otherwise from a copy with the earlier files. */
export async function redBefore(
  evidence: Evidence,
  ask: AskTrial,
): Promise<'passed' | 'failing' | TrialAnswer> {
  if (evidence.before !== null) return evidence.before;
  const answer = await ask({ what: 'before' });
  if (answer.kind !== 'ran') return answer;
  return answer.passed ? 'passed' : 'failing';
}
