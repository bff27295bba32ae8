/** Predicts which trials follow if all goes well. Pure. */

import { uncoveredFiles } from '../beyond.ts';
import type { Evidence, TrialAnswer, TrialQuestion } from '../evidence.ts';
import { judgeProof } from '../judge.ts';
import { questionWords } from './trial-words.ts';

/** The trials for work that is right; a different answer may lead to others. */
export async function trialsAhead(evidence: Evidence): Promise<readonly string[]> {
  const ahead: string[] = [];
  const ask = async (question: TrialQuestion): Promise<TrialAnswer> => {
    ahead.push(questionWords(question));
    return ofRightWork(question);
  };
  await judgeProof(evidence, ask);
  await uncoveredFiles(evidence.aside, ask);
  return ahead;
}

const HOLDS: ReadonlySet<TrialQuestion['what']> = new Set([
  'unchanged',
  'seen',
  'old_tests',
  'red',
  'first_proof',
  'old_tests_emptied',
  'given_tests',
  'altered_old_tests',
  'respaced',
]);

/** For right work the unchanged trials pass, and any removal makes the proof fail. */
function ofRightWork(question: TrialQuestion): TrialAnswer {
  const isExpected = 'tests' in question && question.tests !== undefined;
  const passed = HOLDS.has(question.what) || isExpected;
  return { kind: 'ran', passed, exitCode: passed ? 0 : 1, output: '', word: String(passed) };
}
