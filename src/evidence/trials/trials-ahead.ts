/** Pure: which trials come where all goes well. */
import type { Answer, Evidence, Question } from '../evidence.ts';
import { judgeProof } from '../judge.ts';
import { wordsOf } from './trial-words.ts';

/** The trials that right work goes through; another answer may lead to others. */
export async function trialsAhead(evidence: Evidence): Promise<readonly string[]> {
  const ahead: string[] = [];
  await judgeProof(evidence, async (question) => {
    ahead.push(wordsOf(question));
    return ofRightWork(question);
  });
  return ahead;
}

const HOLDS: ReadonlySet<Question['what']> = new Set([
  'unchanged',
  'old_tests',
  'red',
  'first_proof',
]);

/** What stands there passes; whatever is taken away is missed. */
function ofRightWork({ what }: Question): Answer {
  const passed = HOLDS.has(what);
  return { kind: 'ran', passed, exitCode: passed ? 0 : 1, output: '', word: String(passed) };
}
