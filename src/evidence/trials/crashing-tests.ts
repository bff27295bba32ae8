/**
 * Tests that fail without the code of the run may only crash, where nobody can make its functions return
 * constants: then alterations of the code must be noticed. Pure except for the trials it requests.
 */
import { alterationText } from '../alterable.ts';
import { type AskTrial, type Evidence, listed, type Verdict } from '../evidence.ts';
import { notNoticed } from '../said-of-proof.ts';
import { isCompared } from './is-compared.ts';

/** Of fewer alterations that nobody notices, each may do the same as before. */
const MIN = 2;

/**
 * The verdict against tests that compare nothing; `null`: some comparison decides, or that is unknown.
 * @param noticed code with whose functions emptied the tests fail
 */
export async function onlyCrashing(
  { alterable, expectedIn, proof }: Evidence,
  noticed: readonly string[],
  ask: AskTrial,
): Promise<Verdict | null> {
  const changes = alterable.flatMap(({ alternatives: [change] }) => change);
  if (changes.length < MIN) return null;
  const expected = expectedIn('', 'own_code_altered');
  for (const path of noticed) {
    const red = await ask({ what: 'emptied', path });
    if (red.kind !== 'ran') return null;
    const failing = { ...expected, path, given: '' };
    if (await isCompared(red, failing, ask, (tests) => ({ what: 'emptied', path, tests })))
      return null;
  }
  const missed: string[] = [];
  for (const change of changes) {
    const answer = await ask({ what: 'altered', changes: [change] });
    if (answer.kind !== 'ran') return null;
    if (answer.passed) missed.push(alterationText(change));
    const failing = { ...expected, path: change.path, given: '' };
    const ofTests = (tests: readonly (typeof change)[]) =>
      ({ what: 'altered', changes: [change, ...tests] }) as const;
    if (!answer.passed && (await isCompared(answer, failing, ask, ofTests))) return null;
  }
  return missed.length < MIN
    ? null
    : notNoticed(
        `with ${listed(noticed)} emptied the tests of this run fail in the same way whatever they expect, and they pass even ${listed(missed)}: ${proof.cmd}`,
      );
}
