/** Checks that existing files which the goal names are really used. Pure except for the trials it requests. */
import {
  type AskTrial,
  type Evidence,
  type TrialAnswer,
  type TrialQuestion,
  unproved,
  type Verdict,
} from './evidence.ts';

/**
 * A comment can mention a file, so mentioning proves nothing: code that uses the file must give a different
 * result without it.
 */
export async function unusedInput(evidence: Evidence, ask: AskTrial): Promise<Verdict | null> {
  for (const path of evidence.namedInputs) {
    const without = await ask({ what: 'without', path });
    if (without.kind !== 'ran') {
      const why = without.kind === 'none' ? `: ${without.why}` : '';
      return unproved(`the goal names ${path}, and nothing shows that it is used${why}`);
    }
    // Files below a folder may have changed.
    const isChanged = evidence.changedPaths?.some((one) => one.startsWith(`${path}/`));
    const how = `${path} was ${isChanged ? 'changed, but' : 'not changed, and'} `;
    if (!(await isOtherwise(without, ask)))
      return unproved(
        `${how}${evidence.proof.cmd} does the same without it; the goal names it`,
        'named_file_unchanged',
      );
  }
  return null;
}

/** If a program's output differs on every run, only its exit code is compared. */
async function isOtherwise(
  answer: Extract<TrialAnswer, { kind: 'ran' }>,
  ask: AskTrial,
): Promise<boolean> {
  const first = await ask({ what: 'unchanged' });
  if (first.kind !== 'ran') return false;
  if (first.exitCode !== answer.exitCode || first.passed !== answer.passed) return true;
  if (first.word === answer.word) return false;
  const second: TrialQuestion = { what: 'unchanged', again: true };
  const again = await ask(second);
  return again.kind === 'ran' && again.word === first.word;
}
