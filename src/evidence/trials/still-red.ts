/** Tests that failed during the run must pass at its end. Pure except for the trials it requests. */
import {
  type AskTrial,
  colonAndNames,
  type Evidence,
  listed,
  proved,
  type RedRun,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { blindTests } from './blind-tests.ts';
import { notSeenPassing } from './seen-passing.ts';
import { allFailed, ranNone } from './test-answers.ts';
import { unnoticedCode } from './unnoticed-code.ts';

/** The proof may be the same command in another folder. */
const nameOf = ({ cmd, cwd }: RedRun): string => (cwd === undefined ? cmd : `${cmd} (in ${cwd})`);

/** A proof that runs fewer tests does not cover those that were seen to fail. */
export async function stillFailing({ reds }: Evidence, ask: AskTrial): Promise<Verdict | null> {
  for (const run of reds) {
    const answer = await ask({ what: 'red', run });
    // A model may rename its own tests.
    if (run.isOwn && ranNone(answer)) continue;
    if (answer.kind !== 'ran') {
      const why = answer.kind === 'none' ? `: ${answer.why}` : '';
      return unproved(
        `${nameOf(run)} failed in this run, and it is not known whether it passes now${why}`,
      );
    }
    if (!answer.passed && !isAsBefore(run, answer))
      return unproved(
        `${nameOf(run)} failed in this run and still does${colonAndNames(answer.failed ?? [])}`,
      );
  }
  return null;
}

/**
 * Adds runs in which exactly the same tests fail as before. Whether the goal is about them is unknown, so
 * nothing is claimed; the verdict still tells what was shown.
 */
export async function withOldFailures(
  verdict: Verdict,
  { reds }: Evidence,
  ask: AskTrial,
): Promise<Verdict> {
  for (const run of reds) {
    const answer = await ask({ what: 'red', run });
    if (answer.kind !== 'ran' || answer.passed || !isAsBefore(run, answer)) continue;
    const red = `${nameOf(run)} fails as before this run${colonAndNames(answer.failed ?? [])}`;
    return unproved(`${verdict.words}; ${verdict.isProved ? 'but ' : ''}${red}`);
  }
  return verdict;
}

/**
 * A proof that was red before and is green now shows the work, unless it was red by chance: only unsteady
 * tests failed, or it also passes with the old files.
 */
export async function redThenGreen(
  evidence: Evidence,
  words: string,
  ask: AskTrial,
): Promise<Verdict> {
  const { proof, before, unsteady, redBefore } = evidence;
  const red = `${words}; before the first change it failed`;
  const seen = `${listed(unsteady)} failed and passed with no change of this run between`;
  if (unsteady.length > 0 && redBefore.every((name) => unsteady.includes(name)))
    return unproved(`${proof.cmd} passes, but ${seen}`);
  // If the failure was seen only in a copy, that answer counts. Otherwise it is tried in a copy now.
  const was = await ask({ what: 'before', ...(before === null ? {} : { again: true }) });
  if (was.kind === 'ran' && was.passed)
    return unproved(
      `${proof.cmd} failed before the first change, but it passes with the files as they were, too`,
    );
  const doubt = await notSeenPassing(evidence, was, ask);
  if (typeof doubt !== 'string') return doubt;
  const blind = await blindTests(evidence, was, ask);
  if (blind !== null) return blind;
  const unnoticed = await unnoticedCode(evidence, ask);
  if (unnoticed !== null) return unnoticed;
  return proved([red, ...(unsteady.length === 0 ? [] : [seen]), doubt].filter(Boolean).join('; '));
}

/** True when exactly the same tests fail. */
function isAsBefore(
  { failedBefore = [] }: RedRun,
  answer: Extract<TrialAnswer, { kind: 'ran' }>,
): boolean {
  const names = allFailed(answer) ?? [];
  return (
    names.length > 0 &&
    names.length === failedBefore.length &&
    names.every((name) => failedBefore.includes(name))
  );
}
