/** Judges a run that only added tests to existing ones. Pure except for the trials it requests. */
import { type AskTrial, type Evidence, listed, unproved, type Verdict } from '../evidence.ts';
import { ranNone } from './test-answers.ts';

/**
 * Perhaps only the existing tests notice that code does nothing. So the tests of the run must notice it
 * alone, or the existing tests alone must not.
 */
export async function noticedAnyhow(
  { proof, hasGivenTests, hasChangedOldCode, newCode, ownTests }: Evidence,
  noticed: readonly string[],
  ask: AskTrial,
  wasRed: () => Promise<boolean>,
): Promise<Verdict | null> {
  if (!hasGivenTests || hasChangedOldCode || newCode.length > 0 || (await wasRed())) return null;
  const passes = async (question: Parameters<AskTrial>[0]): Promise<boolean | null> => {
    const answer = await ask(question);
    return ranNone(answer) || answer.kind !== 'ran' ? null : answer.passed;
  };
  const canBeAlone =
    ownTests.length > 0 && (await passes({ what: 'unchanged', own: true })) === true;
  for (const path of noticed) {
    if (canBeAlone && (await passes({ what: 'emptied', path, own: true })) === false) return null;
    const without = await ask({ what: 'old_tests_emptied', path });
    if (ranNone(without) || (without.kind === 'ran' && without.passed)) return null;
  }
  return unproved(
    `nothing shows that the tests of this run notice more of ${listed(noticed)} than those that were there: ${proof.cmd}`,
    'tests_notice_nothing',
  );
}
