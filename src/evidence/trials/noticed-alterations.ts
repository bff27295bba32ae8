/**
 * Shows by alterations that the tests of a run notice its code, in languages whose functions the engine
 * cannot empty.
 * 1. An alteration of new code counts only if the code still builds: then the tests of before the run pass
 *    with it. If the tests of the run fail with it, they noticed it. Guesses are tried where the others show
 *    nothing, and of those for a line the first one that builds decides. Tests that cannot be built without
 *    what is left out, such as a declaration, do not notice anything.
 * 2. A guess that is noticed must be noticed by a comparison: code that crashes fails in the same way
 *    whatever the tests expect.
 * 3. The failing tests must also fail once they expect something else.
 * 4. Tests that read the text of the code do not test what it does: more spaces must leave them passing.
 * Pure except for the trials it requests.
 */
import { type AlterableLine, alterationText, type PlacedAlteration } from '../alterable.ts';
import type { Expected } from '../compared.ts';
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
import { isCompared } from './is-compared.ts';
import { ranNone } from './test-answers.ts';

const ENOUGH = 3;
const MIN = 2;
/** The most alterations that are tried, because each may cost two builds. */
const MAX_TRIED = 16;

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
  const expected = evidence.expectedIn('', 'own_code_altered');
  const { lines, least, noticed, missed, crashed, red, unknown } = await settled(
    alterable,
    expected,
    ask,
  );
  if (unknown) return notKnown(evidence, unknown);
  if (missed.length > 0 && missed.length >= noticed.length) {
    // If the tests pass even with an empty file, the copy does not build that file.
    const blank =
      noticed.length === 0 && (await ask({ what: 'blank', path: first.alternatives[0].path }));
    return blank && blank.kind === 'ran' && blank.passed
      ? null
      : notNoticed(`the tests of this run pass even ${listed(missed)}: ${proof.cmd}`);
  }
  if (noticed.length === 0 && crashed.length > 0)
    return notNoticed(
      `${proof.cmd} passes, and ${listed(crashed)} it fails, but in the same way whatever the tests of this run expect`,
    );
  if (red === null || noticed.length < least) return null;
  const blind = await blindTests(evidence, red, ask, 'own_code_altered');
  if (blind !== null) return blind;
  const changes = lines.map(({ alternatives }) => alternatives[0]);
  const respaced = await ask({ what: 'respaced', changes });
  if (respaced.kind !== 'ran') return notKnown(evidence, respaced);
  return respaced.passed
    ? proved(`${passed(evidence)}; checked: the tests of this run fail ${listed(noticed)}`)
    : unproved(`${proof.cmd} passes, but its tests depend on how the code is written`);
}

const notKnown = (evidence: Evidence, answer: TrialAnswer): Verdict =>
  unknownBecause(evidence, 'it is not known whether the tests of this run notice its code', answer);

type Ran = Extract<TrialAnswer, { kind: 'ran' }>;

interface Tried {
  readonly noticed: readonly string[];
  readonly missed: readonly string[];
  /** With these it fails, but not by a comparison. */
  readonly crashed: readonly string[];
  /** The failure by the alteration that was noticed last. */
  readonly red: TrialAnswer | null;
  /** The trial that gave no answer and so ended the rest. */
  readonly unknown?: TrialAnswer;
}

interface Settled extends Tried {
  /** The lines that were tried last. */
  readonly lines: readonly AlterableLine[];
  /** How many alterations must be noticed. */
  readonly least: number;
}

/**
 * Most guesses do not build, so they are tried where nothing else tells, and then one that is noticed is enough;
 * and where as much is noticed as not.
 */
async function settled(
  all: readonly AlterableLine[],
  expected: Expected,
  ask: AskTrial,
): Promise<Settled> {
  const sure = all.filter(({ isGuess }) => !isGuess);
  const guesses = all.filter(({ isGuess }) => isGuess);
  const found = await tried(sure, expected, ask);
  const least = Math.min(MIN, sure.length);
  const isUndecided = found.noticed.length === found.missed.length && !found.unknown;
  if (!isUndecided || guesses.length === 0) return { ...found, lines: sure, least };
  const more = await tried(guesses, expected, ask);
  if (found.red === null) return { ...more, lines: guesses, least: 1 };
  // What is not noticed may not matter: a buffer that is larger than it has to be.
  return more.unknown
    ? { ...found, lines: sure, least }
    : {
        noticed: [...found.noticed, ...more.noticed],
        missed: [...found.missed, ...more.missed],
        crashed: more.crashed,
        red: more.red ?? found.red,
        ...{ lines: sure, least },
      };
}

async function tried(
  lines: readonly AlterableLine[],
  expected: Expected,
  ask: AskTrial,
): Promise<Tried> {
  const noticed: string[] = [];
  const missed: string[] = [];
  const crashed: string[] = [];
  let red: TrialAnswer | null = null;
  let left = MAX_TRIED;
  /** What built last, which often fits the next line, too. */
  let fit: string | null = null;
  for (const { alternatives, isGuess } of lines) {
    if (noticed.length >= ENOUGH || missed.length >= ENOUGH) break;
    for (const change of fittingFirst(alternatives, fit).slice(0, left)) {
      left -= 1;
      // What often does not build is seen not to do so in one trial.
      if (isGuess && !(await builds(change, ask))) continue;
      const answer = await ask({ what: 'altered', changes: [change] });
      if (answer.kind !== 'ran') return { noticed, missed, crashed, red, unknown: answer };
      if (answer.passed && change.mayDoNothing) continue;
      if (answer.passed) missed.push(alterationText(change));
      else if (isGuess && !(await isByComparison(change, answer, expected, ask))) {
        if (change.to !== '') crashed.push(alterationText(change));
        continue;
      } else if (isGuess || (await builds(change, ask))) {
        noticed.push(alterationText(change));
        red = answer;
      } else continue;
      fit = change.to;
      break;
    }
  }
  return { noticed, missed, crashed, red };
}

/** With the same alteration. */
const isByComparison = (
  change: PlacedAlteration,
  answer: Ran,
  expected: Expected,
  ask: AskTrial,
): Promise<boolean> =>
  isCompared(answer, { ...expected, given: change.to, path: change.path }, ask, (tests) => ({
    what: 'altered',
    changes: [change, ...tests],
  }));

const fittingFirst = (
  alternatives: readonly PlacedAlteration[],
  fit: string | null,
): readonly PlacedAlteration[] => [
  ...alternatives.filter(({ to }) => to === fit),
  ...alternatives.filter(({ to }) => to !== fit),
];

async function builds(change: PlacedAlteration, ask: AskTrial): Promise<boolean> {
  const answer = await ask({ what: 'altered_old_tests', change });
  // A new project has no tests of before the run.
  return ranNone(answer) || (answer.kind === 'ran' && answer.passed);
}
