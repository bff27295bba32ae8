/**
 * Tries for each file of code whether a proof that was red before notices it. The proof may have been red for
 * another reason, and then shows nothing about code without which it passes. Pure except for the trials it
 * requests.
 */
import { type AskTrial, type Evidence, listed, type Verdict } from '../evidence.ts';
import type { NoticeableCode } from '../noticeable.ts';
import { notNoticed } from '../said-of-proof.ts';
import { programsRun } from './changed-program.ts';
import { reachedTests } from './reached-tests.ts';

/** The verdict against unnoticed code; `null`: the proof notices each file, or that is unknown. */
export async function unnoticedCode(evidence: Evidence, ask: AskTrial): Promise<Verdict | null> {
  const { proof, noticeable } = evidence;
  if (noticeable.length === 0) return null;
  // Files that the proof itself surely runs were put back in an earlier trial.
  const programs = await programsRun(evidence, ask);
  const unnoticed: string[] = [];
  for (const one of noticeable)
    if (!programs.includes(one.path) && (await isUnnoticed(one, ask))) unnoticed.push(one.path);
  return unnoticed.length === 0
    ? null
    : notNoticed(
        `${proof.cmd} also passes without this run's work in ${listed(unnoticed)}, so its earlier failure says nothing about ${unnoticed.length > 1 ? 'them' : 'it'}`,
      );
}

async function isUnnoticed(one: NoticeableCode, ask: AskTrial): Promise<boolean> {
  const { path, isNew, canBeEmptied } = one;
  const passes = async (question: Parameters<AskTrial>[0]): Promise<boolean> => {
    const answer = await ask(question);
    return answer.kind === 'ran' && answer.passed && answer.made?.includes(path) !== true;
  };
  if (isNew && canBeEmptied) return passes({ what: 'emptied', path });
  if (!(await passes({ what: 'put_back', paths: [path] }))) return false;
  return isNew || !(await areMostNoticed(one, ask));
}

/**
 * True if the tests notice most alterations; those with which they cannot be built are unknown. Code that only
 * does the same in another way passes in its old form, too, but its tests still need it.
 */
async function areMostNoticed(
  { alterations }: Pick<NoticeableCode, 'alterations'>,
  ask: AskTrial,
): Promise<boolean> {
  const most = alterations.length / 2;
  let noticed = 0;
  for (const change of alterations) {
    const answer = await ask({ what: 'altered', changes: [change] });
    if (answer.kind !== 'ran' || answer.passed) continue;
    if (await reachedTests(answer, [change.path], ask)) noticed += 1;
    if (noticed > most) return true;
  }
  return false;
}
