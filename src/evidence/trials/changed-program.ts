/** Looks whether the run changed what its proof runs. Pure except for the trials it requests. */
import { type AskTrial, type Evidence, listed, unproved, type Verdict } from '../evidence.ts';

/**
 * A proof shows nothing if the run changed its own program, whatever that prints: the proof must pass with
 * the earlier program, too.
 */
export async function changedProgram(evidence: Evidence, ask: AskTrial): Promise<Verdict | null> {
  const { proof, changedOfProof, isGiven } = evidence;
  const { settings } = changedOfProof;
  const paths = await programsChanged(evidence, ask);
  if (paths.length === 0) return null;
  const answer = await ask({ what: 'put_back', paths });
  if (answer.kind === 'ran' && answer.passed) return null;
  const words = `${proof.cmd} passes, but this run changed ${listed(paths)}, which it runs`;
  // If only settings were changed, tests could not show the work either.
  if (paths.length === settings.length) return unproved(words);
  return unproved(isGiven ? words : `${words}: tests would show the work`, 'tests_notice_nothing');
}

/** What the proof runs, or may run, and the run changed. */
const programsChanged = (evidence: Evidence, ask: AskTrial): Promise<readonly string[]> =>
  programsThat((isRun) => isRun !== false, evidence, ask);

/** What the proof surely runs and the run changed. */
export const programsRun = (evidence: Evidence, ask: AskTrial): Promise<readonly string[]> =>
  programsThat((isRun) => isRun === true, evidence, ask);

/** @param counts asked of each file that the proof only names; `null`: unknown */
async function programsThat(
  counts: (isRun: boolean | null) => boolean,
  { changedOfProof: { settings, programs, named }, changedTests, renames }: Evidence,
  ask: AskTrial,
): Promise<readonly string[]> {
  // Tests that differ only by renames are judged by `withRenames`.
  const isOther = (path: string): boolean => renames.length === 0 || !changedTests.includes(path);
  const paths = [...settings, ...programs.filter(isOther)];
  for (const path of named.filter(isOther))
    if (counts(await isProgram(path, ask))) paths.push(path);
  return paths;
}

/**
 * An unknown program may run a file that it names, or only look at it. With an empty file it passes in both
 * cases, unless something else needs the file. With a file that only fails when run, it passes if it does not
 * run it. `null`: in the language of the file nobody knows such a text, or there was no answer.
 */
async function isProgram(path: string, ask: AskTrial): Promise<boolean | null> {
  const blank = await ask({ what: 'blank', path });
  if (blank.kind === 'ran' && !blank.passed) return false;
  const failing = await ask({ what: 'failing', path });
  return failing.kind === 'ran' ? !failing.passed : null;
}
