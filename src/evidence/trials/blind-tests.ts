/**
 * Tries whether failed tests really compare something. They may pass because nothing compares any more: a
 * helper outside the tests, a macro, a header, or an object that equals everything. And code that crashes
 * also fails tests that expect nothing. So each test must fail once it expects something else.
 * 1. Each value that the failed lines surely compare is replaced, all in one trial: a failing test names its
 *    line.
 * 2. A test that still passes is tried with the old code, or with emptied code. If it fails there even with
 *    another value, it compares nothing. If it passes there, it may assert an inequality or a bound.
 * 3. Where no value is surely compared, the lines are altered one by one, until the tests notice one.
 * 4. A program that checks must come to the end of its checks.
 * Pure except for the trials it requests.
 */
import { DOES_NOTHING } from '../../languages/files/assertions.ts';
import { alterationText, type PlacedAlteration } from '../alterable.ts';
import type { Compared, TestOrigin } from '../compared.ts';
import {
  type AskTrial,
  type Evidence,
  listed,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { linesNamed } from '../expected.ts';
import { reachedTests } from './reached-tests.ts';

/** Each failing round names further lines. More rounds than these tell nothing more. */
const MAX_ROUNDS = 4;

/** @param was how the proof failed: with the files as they were, or without the code of the run */
export async function blindTests(
  evidence: Evidence,
  was: TrialAnswer,
  ask: AskTrial,
  origin: TestOrigin = 'existing',
): Promise<Verdict | null> {
  const { proof, expectedIn } = evidence;
  const { compared, others, last } = expectedIn(was.kind === 'ran' ? was.output : '', origin);
  const missed = await unnoticed(await unnoticed(compared, 0, ask), 1, ask);
  const sure: PlacedAlteration[] = [];
  for (const one of missed)
    if (await failsAnyway(one, { evidence, was, origin }, ask))
      sure.push(...one.alternatives.slice(0, 1));
  // Tests that ran and failed are settled by the trial with the old code.
  const areUntold = missed.length === compared.length && missed.every((one) => !one.wasLoaded);
  const blind = sure.length === 0 && areUntold ? await noneNoticed(others, ask) : sure;
  if (blind.length > 0)
    return unproved(
      `${proof.cmd} passes, but its tests do so even ${listed(blind.map(alterationText))}`,
      ...(origin === 'existing' ? [] : (['tests_notice_nothing'] as const)),
    );
  const end = last && (await ask({ what: 'altered', changes: [last] }));
  return last && end?.kind === 'ran' && end.passed
    ? unproved(`${proof.cmd} passes, but it ends before it has checked ${last.path}:${last.line}`)
    : null;
}

/** The comparisons that pass with other values. One trial holds all of them: a failing one names its line. */
async function unnoticed(
  all: readonly Compared[],
  way: number,
  ask: AskTrial,
): Promise<readonly Compared[]> {
  let left = all;
  for (let round = 0; round < MAX_ROUNDS && left.length > 0; round += 1) {
    const changes = left.flatMap(({ alternatives }) => alternatives[way] ?? alternatives[0] ?? []);
    const answer = await ask({ what: 'altered', changes });
    if (answer.kind !== 'ran') return [];
    if (answer.passed) return left;
    const others = left.filter((one) => !isNamed(one, answer));
    if (others.length === left.length) return [];
    left = others;
  }
  return [];
}

/** Other alterations put a value or a sign in the place of another one, which builds. */
export const mayNotBuild = ({ from, to }: PlacedAlteration): boolean =>
  to.startsWith(from) || to.endsWith(DOES_NOTHING);

const isNamed = ({ path, lines }: Compared, answer: TrialAnswer, moved = 0): boolean =>
  answer.kind === 'ran' &&
  !answer.passed &&
  linesNamed(path, answer.output).some((line) => lines.includes(line + moved));

interface Failed {
  readonly evidence: Evidence;
  readonly was: TrialAnswer;
  readonly origin: TestOrigin;
}

/** True if the test fails with the old code, or with emptied code, even when it expects another value. */
async function failsAnyway(
  one: Compared,
  { evidence: { code }, was, origin }: Failed,
  ask: AskTrial,
): Promise<boolean> {
  if (origin !== 'existing') return isNamed(one, was);
  const changes = one.alternatives.slice(0, 1);
  if (one.wasLoaded)
    return isNamed(one, await ask({ what: 'altered', changes, isOld: true }), one.moved);
  for (const path of code) if (isNamed(one, await ask({ what: 'emptied', path }))) return true;
  return false;
}

/**
 * The alterations that nothing notices; empty as soon as one is noticed. What stands between others may not
 * build, and then says nothing. Files that the proof does not run are left out: it passes whatever they hold.
 */
async function noneNoticed(
  changes: readonly PlacedAlteration[],
  ask: AskTrial,
): Promise<readonly PlacedAlteration[]> {
  const missed: PlacedAlteration[] = [];
  for (const change of changes) {
    const answer = await ask({ what: 'altered', changes: [change] });
    if (answer.kind !== 'ran') break;
    if (answer.passed) missed.push(change);
    else if (!mayNotBuild(change) || (await reachedTests(answer, [change.path], ask))) return [];
  }
  const run: string[] = [];
  for (const path of new Set(missed.map((one) => one.path))) {
    const broken = await ask({ what: 'broken', path });
    if (broken.kind === 'ran' && !broken.passed) run.push(path);
  }
  return missed.filter(({ path }) => run.includes(path));
}
