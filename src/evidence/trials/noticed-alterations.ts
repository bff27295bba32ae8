/**
 * Shows by alterations that the tests of a run notice its code, in a language whose functions nobody here can empty.
 * 1. An alteration of new code tells something only if it builds: the tests as they were before the run pass with it.
 *    If those of the run fail with it, they noticed it.
 * 2. Code that crashes also makes tests fail that expect nothing, so they must fail as well once they expect something
 *    else.
 * 3. Tests that read the text of the code are no tests of what it does: more spaces must leave them passing.
 * Pure except for the trials it requests.
 */
import { type Alterable, alterationText, type PlacedAlteration } from '../alterable.ts';
import {
  type Answer,
  type Ask,
  type Evidence,
  listed,
  proved,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { notNoticed, notTold, passed } from '../said-of-proof.ts';
import { ranNone } from './test-answers.ts';

const ENOUGH = 3;
const LEAST = 2;

export const canBeNoticed = ({ code, tests }: Alterable): boolean =>
  code.length > 0 && tests.length > 0;

/** `null`: nothing is shown, and nothing speaks against the tests. */
export async function noticedAlterations(evidence: Evidence, ask: Ask): Promise<Verdict | null> {
  const { alterable, proof, ownTestsProve } = evidence;
  const { code, tests } = alterable;
  const [first] = code;
  if (first === undefined || !canBeNoticed(alterable) || !ownTestsProve) return null;
  const green = await ask({ what: 'unchanged' });
  if (green.kind !== 'ran' || !green.passed) return null;
  const inCode = await triedOn(code, { enough: ENOUGH, most: ENOUGH }, ask, (change) =>
    buildsWith(change, ask),
  );
  if (inCode.unknown) return notKnown(evidence, inCode.unknown);
  const { noticed, missed } = inCode;
  if (missed.length > 0 && missed.length >= noticed.length)
    return noticed.length === 0 && (await isUnused(first, ask))
      ? null
      : notNoticed(`the tests of this run pass even ${listed(missed)}: ${proof.cmd}`);
  if (noticed.length < leastOf(code)) return null;
  const inTests = await triedOn(
    tests,
    { enough: LEAST, most: tests.length },
    ask,
    async () => true,
  );
  if (inTests.unknown) return notKnown(evidence, inTests.unknown);
  // What a line gives may matter less than what it expects.
  const lines = new Set(tests.map(({ path, line }) => `${path}:${line}`));
  if (inTests.noticed.length < Math.min(LEAST, lines.size))
    return notNoticed(`the tests of this run pass even ${listed(inTests.missed)}: ${proof.cmd}`);
  const respaced = await ask({ what: 'respaced', changes: code });
  if (respaced.kind !== 'ran') return notKnown(evidence, respaced);
  return respaced.passed
    ? proved(`${passed(evidence)}; checked: the tests of this run fail ${listed(noticed)}`)
    : unproved(`${proof.cmd} passes, but its tests depend on how the code is written`);
}

/** Most code does not build without one of its statements, so one that is noticed is enough there. */
const leastOf = (code: readonly PlacedAlteration[]): number =>
  code.some(({ to }) => to === '') ? 1 : Math.min(LEAST, code.length);

const notKnown = (evidence: Evidence, answer: Answer): Verdict =>
  notTold(evidence, 'it is not known whether the tests of this run notice its code', answer);

interface Tried {
  readonly noticed: readonly string[];
  readonly missed: readonly string[];
  /** The answer that is no answer, and ended the trials. */
  readonly unknown?: Answer;
}

/** @param tells whether it says something that the tests fail with a change */
async function triedOn(
  changes: readonly PlacedAlteration[],
  { enough, most }: { readonly enough: number; readonly most: number },
  ask: Ask,
  tells: (change: PlacedAlteration) => Promise<boolean>,
): Promise<Tried> {
  const noticed: string[] = [];
  const missed: string[] = [];
  for (const change of changes) {
    if (noticed.length >= enough || missed.length >= most) break;
    const answer = await ask({ what: 'altered', changes: [change] });
    if (answer.kind !== 'ran') return { noticed, missed, unknown: answer };
    if (answer.passed) missed.push(alterationText(change));
    else if (await tells(change)) noticed.push(alterationText(change));
  }
  return { noticed, missed };
}

/** What is built elsewhere, from other files, is not built anew in the copy. */
async function isUnused({ path }: PlacedAlteration, ask: Ask): Promise<boolean> {
  const blank = await ask({ what: 'blank', path });
  return blank.kind === 'ran' && blank.passed;
}

async function buildsWith(change: PlacedAlteration, ask: Ask): Promise<boolean> {
  const answer = await ask({ what: 'altered_old_tests', change });
  // In a new project there are no other tests.
  return ranNone(answer) || (answer.kind === 'ran' && answer.passed);
}
