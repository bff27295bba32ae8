/**
 * Tests that failed may pass because nothing compares any more: a helper that stands outside the tests, a macro, a header
 * or an object that equals everything can make their assertions do nothing. So each that failed must fail once it expects
 * something else. Pure except for the trials it requests.
 */

import { farFrom } from '../../languages/files/alterations.ts';
import { alterationText, type PlacedAlteration } from '../alterable.ts';
import {
  type Answer,
  type Ask,
  type Compared,
  type Evidence,
  listed,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { linesNamed } from '../expected.ts';

/** Each names others, so more trials than these tell nothing more. */
const MOST_ROUNDS = 4;

/**
 * @param was how the proof ended with the files as they were, or without the code of the run
 * @param asked the tests that failed then
 */
export async function blindTests(
  { proof, code, expectedIn }: Evidence,
  was: Answer,
  ask: Ask,
  asked: 'given' | 'own' = 'given',
): Promise<Verdict | null> {
  const { compared, others, last } = expectedIn(was.kind === 'ran' ? was.output : '', asked);
  const blind = (changes: readonly PlacedAlteration[]): Verdict =>
    unproved(
      `${proof.cmd} passes, but its tests do so even ${listed(changes.map(alterationText))}`,
      ...(asked === 'own' ? (['tests_notice_nothing'] as const) : []),
    );
  const missed = await ofRun(await unnoticed(compared, ask), ask);
  const sure: Compared[] = [];
  for (const one of missed)
    if (await comparesNothing(one, { was, code, asked }, ask)) sure.push(one);
  if (sure.length > 0) return blind(sure);
  if (compared.length === 0 || missed.length === compared.length) {
    const none = await allUnnoticed(others, ask);
    if (none.length > 0) return blind(none);
  }
  const end = last && (await ask({ what: 'altered', changes: [last] }));
  return last && end?.kind === 'ran' && end.passed
    ? unproved(`${proof.cmd} passes, but it ends before it has checked ${last.path}:${last.line}`)
    : null;
}

/** Those that pass with other values. All are tried at once: what fails names its line. */
async function unnoticed(all: readonly Compared[], ask: Ask): Promise<readonly Compared[]> {
  let left = all;
  for (let round = 0; round < MOST_ROUNDS && left.length > 0; round += 1) {
    const answer = await ask({ what: 'altered', changes: left });
    if (answer.kind !== 'ran') return [];
    if (answer.passed) return left;
    const isAny = left.some(({ path }) => linesNamed(path, answer.output).length > 0);
    const others = left.filter((one) => !isNamed(one, answer.output));
    if (!isAny || others.length === left.length) return [];
    left = others;
  }
  return [];
}

const isNamed = ({ path, line, shown }: Compared, output: string): boolean =>
  linesNamed(path, output).some((one) => one === line || one === shown);

interface Failed extends Pick<Evidence, 'code'> {
  readonly was: Answer;
  readonly asked: 'given' | 'own';
}

/**
 * What must not be so passes with another value, too, and a bound with some: but then it passes with the old code as well,
 * or without any.
 */
async function comparesNothing(
  one: Compared,
  { was, code, asked }: Failed,
  ask: Ask,
): Promise<boolean> {
  const names = (answer: Answer): boolean =>
    answer.kind === 'ran' && !answer.passed && isNamed(one, answer.output);
  const [far = one, near = one] = farFrom(one).map((other) => ({ ...one, ...other }));
  for (const change of asked === 'given' && one.wasLoaded ? [far] : [far, near]) {
    const answer = await ask({ what: 'altered', changes: [change] });
    if (answer.kind !== 'ran' || !answer.passed) return false;
  }
  if (asked === 'own') return names(was);
  if (one.wasLoaded) return names(await ask({ what: 'altered', changes: [far], isOld: true }));
  for (const path of code) if (names(await ask({ what: 'emptied', path }))) return true;
  return false;
}

/** Empty as soon as one is noticed. */
async function allUnnoticed(
  changes: readonly PlacedAlteration[],
  ask: Ask,
): Promise<readonly PlacedAlteration[]> {
  const missed: PlacedAlteration[] = [];
  for (const change of changes) {
    const answer = await ask({ what: 'altered', changes: [change] });
    if (answer.kind !== 'ran') break;
    if (!answer.passed) return [];
    missed.push(change);
  }
  return ofRun(missed, ask);
}

/** The proof does not run a file that may hold anything. */
async function ofRun<One extends PlacedAlteration>(
  changes: readonly One[],
  ask: Ask,
): Promise<readonly One[]> {
  const run: string[] = [];
  for (const path of new Set(changes.map((one) => one.path))) {
    const broken = await ask({ what: 'broken', path });
    if (broken.kind === 'ran' && !broken.passed) run.push(path);
  }
  return changes.filter(({ path }) => run.includes(path));
}
