/**
 * Shows by alterations that the tests of a run notice its code, in a language whose functions nobody here can empty.
 * 1. An alteration of new code tells something only if it builds: the tests as they were before the run pass with it.
 *    If those of the run fail with it, they noticed it.
 * 2. As tests that fail without the code do, those must also fail once they expect something else.
 * 3. Tests that read the text of the code are no tests of what it does: more spaces must leave them passing.
 * Pure except for the trials it requests.
 */
import { alterationText, type PlacedAlteration } from '../alterable.ts';
import {
  type AskTrial,
  type Evidence,
  listed,
  proved,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { notNoticed, notTold, passed } from '../said-of-proof.ts';
import { blindTests } from './blind-tests.ts';
import { ranNone } from './test-answers.ts';

const ENOUGH = 3;
const MIN = 2;

/** Tests of the run expect something. */
export function canBeNoticed({ alterable, expectedIn }: Evidence): boolean {
  const { compared, others } = expectedIn('', 'altered');
  return alterable.length > 0 && compared.length + others.length > 0;
}

/** `null`: nothing is shown, and nothing speaks against the tests. */
export async function noticedAlterations(
  evidence: Evidence,
  ask: AskTrial,
): Promise<Verdict | null> {
  const { alterable, proof, ownTestsProve } = evidence;
  const [first] = alterable;
  if (first === undefined || !canBeNoticed(evidence) || !ownTestsProve) return null;
  const green = await ask({ what: 'unchanged' });
  if (green.kind !== 'ran' || !green.passed) return null;
  const { noticed, missed, red, unknown } = await tried(alterable, ask);
  if (unknown) return notKnown(evidence, unknown);
  if (missed.length > 0 && missed.length >= noticed.length) {
    // What is built elsewhere, from other files, is not built anew in the copy.
    const blank = noticed.length === 0 && (await ask({ what: 'blank', path: first.path }));
    return blank && blank.kind === 'ran' && blank.passed
      ? null
      : notNoticed(`the tests of this run pass even ${listed(missed)}: ${proof.cmd}`);
  }
  // Most code does not build without one of its statements, so one that is noticed is enough there.
  const least = alterable.some(({ to }) => to === '') ? 1 : Math.min(MIN, alterable.length);
  if (red === null || noticed.length < least) return null;
  const blind = await blindTests(evidence, red, ask, 'altered');
  if (blind !== null) return blind;
  const respaced = await ask({ what: 'respaced', changes: alterable });
  if (respaced.kind !== 'ran') return notKnown(evidence, respaced);
  return respaced.passed
    ? proved(`${passed(evidence)}; checked: the tests of this run fail ${listed(noticed)}`)
    : unproved(`${proof.cmd} passes, but its tests depend on how the code is written`);
}

const notKnown = (evidence: Evidence, answer: TrialAnswer): Verdict =>
  notTold(evidence, 'it is not known whether the tests of this run notice its code', answer);

interface Tried {
  readonly noticed: readonly string[];
  readonly missed: readonly string[];
  /** Of the last that was noticed. */
  readonly red: TrialAnswer | null;
  /** The answer that is no answer, and ended the trials. */
  readonly unknown?: TrialAnswer;
}

async function tried(changes: readonly PlacedAlteration[], ask: AskTrial): Promise<Tried> {
  const noticed: string[] = [];
  const missed: string[] = [];
  let red: TrialAnswer | null = null;
  for (const change of changes) {
    if (noticed.length >= ENOUGH || missed.length >= ENOUGH) break;
    const answer = await ask({ what: 'altered', changes: [change] });
    if (answer.kind !== 'ran') return { noticed, missed, red, unknown: answer };
    if (answer.passed) missed.push(alterationText(change));
    else if (await builds(change, ask)) {
      noticed.push(alterationText(change));
      red = answer;
    }
  }
  return { noticed, missed, red };
}

async function builds(change: PlacedAlteration, ask: AskTrial): Promise<boolean> {
  const answer = await ask({ what: 'altered_old_tests', change });
  // In a new project there are no other tests.
  return ranNone(answer) || (answer.kind === 'ran' && answer.passed);
}
