/** Given files that the goal names and that nothing may use. Pure but for what it asks of the scratch copy. */
import {
  type Answer,
  type Ask,
  type Evidence,
  type Question,
  unproved,
  type Verdict,
} from './evidence.ts';

/** A comment can name a file; what uses it ends otherwise without it. */
export async function unusedInput(evidence: Evidence, ask: Ask): Promise<Verdict | null> {
  for (const path of evidence.namedInputs) {
    const without = await ask({ what: 'without', path });
    if (without.kind !== 'ran') {
      const why = without.kind === 'none' ? `: ${without.why}` : '';
      return unproved(`the goal names ${path}, and nothing shows that it is used${why}`);
    }
    if (!(await isOtherwise(without, ask)))
      return unproved(
        `${path} was not changed, and ${evidence.proof.cmd} does the same without it; the goal names it`,
        'named_file_unchanged',
      );
  }
  return null;
}

/** Of a program that says something else each time only its exit code tells. */
async function isOtherwise(answer: Extract<Answer, { kind: 'ran' }>, ask: Ask): Promise<boolean> {
  const first = await ask({ what: 'unchanged' });
  if (first.kind !== 'ran') return false;
  if (first.exitCode !== answer.exitCode || first.passed !== answer.passed) return true;
  if (first.word === answer.word) return false;
  const second: Question = { what: 'unchanged', again: true };
  const again = await ask(second);
  return again.kind === 'ran' && again.word === first.word;
}
