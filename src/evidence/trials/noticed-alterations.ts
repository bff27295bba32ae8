/**
 * Shows by alterations that the tests of a run notice its code, in languages whose functions the engine
 * cannot empty.
 * 1. An alteration of new code counts only if the code still builds: then the tests of before the run pass
 *    with it. If the tests of the run fail with it, they noticed it.
 * 2. The failing tests must also fail once they expect something else.
 * 3. Tests that read the text of the code do not test what it does: more spaces must leave them passing.
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
import { notNoticed, passed, unknownBecause } from '../said-of-proof.ts';
import { blindTests } from './blind-tests.ts';
import { ranNone } from './test-answers.ts';

const ENOUGH = 3;
const MIN = 2;

/** True if there is something to alter, and if tests of the run expect something. */
export function canBeNoticed({ alterable, expectedIn }: Evidence): boolean {
  const { compared, others } = expectedIn('', 'own_code_altered');
  return alterable.length > 0 && compared.length + others.length > 0;
}

/** `null`: the trials show nothing, and nothing speaks against the tests. */
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
    // If the tests pass even with an empty file, the copy does not build that file.
    const blank = noticed.length === 0 && (await ask({ what: 'blank', path: first.path }));
    return blank && blank.kind === 'ran' && blank.passed
      ? null
      : notNoticed(`the tests of this run pass even ${listed(missed)}: ${proof.cmd}`);
  }
  // Most code does not build with a statement left out, so one noticed omission is enough.
  const least = alterable.some(({ to }) => to === '') ? 1 : Math.min(MIN, alterable.length);
  if (red === null || noticed.length < least) return null;
  const blind = await blindTests(evidence, red, ask, 'own_code_altered');
  if (blind !== null) return blind;
  const respaced = await ask({ what: 'respaced', changes: alterable });
  if (respaced.kind !== 'ran') return notKnown(evidence, respaced);
  return respaced.passed
    ? proved(`${passed(evidence)}; checked: the tests of this run fail ${listed(noticed)}`)
    : unproved(`${proof.cmd} passes, but its tests depend on how the code is written`);
}

const notKnown = (evidence: Evidence, answer: TrialAnswer): Verdict =>
  unknownBecause(evidence, 'it is not known whether the tests of this run notice its code', answer);

interface Tried {
  readonly noticed: readonly string[];
  readonly missed: readonly string[];
  /** The failure by the alteration that was noticed last. */
  readonly red: TrialAnswer | null;
  /** The trial that gave no answer and so ended the rest. */
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
  // A new project has no tests of before the run.
  return ranNone(answer) || (answer.kind === 'ran' && answer.passed);
}
