/** Decides what a program that passes shows, if it is no run of known tests. Pure except for the trials it requests. */
import {
  type AskTrial,
  type Evidence,
  listed,
  proved,
  unproved,
  type Verdict,
} from './evidence.ts';
import { notNoticed, PASSED_BEFORE, passed, redBefore, unknownBecause } from './said-of-proof.ts';
import { brokenTests } from './trials/broken-tests.ts';
import { changedProgram } from './trials/changed-program.ts';
import { noticedAlterations } from './trials/noticed-alterations.ts';
import { givesOnlyThat, newlyPassing, whyExamplesProveNothing } from './trials/passing-examples.ts';
import { redThenGreen } from './trials/still-red.ts';
import { isUnmade, ranNone } from './trials/test-answers.ts';

export async function programVerdict(evidence: Evidence, ask: AskTrial): Promise<Verdict> {
  const verdict = await programAlone(evidence, ask);
  return verdict.isProved ? ((await brokenTests(evidence, ask)) ?? verdict) : verdict;
}

async function programAlone(evidence: Evidence, ask: AskTrial): Promise<Verdict> {
  const { proof, isNew, isGiven } = evidence;
  if (evidence.isReading && !isGiven && evidence.code.length > 0)
    return notNoticed(`${proof.cmd} only reads what this run wrote`);
  const { shown, missing } = await newlyPassing(evidence, ask);
  if (shown.length > 0) {
    const constant = await givesOnlyThat(evidence, ask);
    return constant ?? proved(`${passed(evidence)}; as the goal says, ${listed(shown)}`);
  }
  const was = isNew && !isGiven ? 'absent' : await redBefore(evidence, ask);
  // With the old files the proof found no tests, or something that it needs could not be built.
  const before = typeof was !== 'string' && (ranNone(was) || isUnmade(was)) ? 'absent' : was;
  if (before === 'passed')
    return (
      (await changedProgram(evidence, ask)) ??
      (await noticedAlterations(evidence, ask)) ??
      unproved(`${proof.cmd} ${PASSED_BEFORE}`)
    );
  if (typeof before !== 'string')
    return unknownBecause(evidence, 'whether it did so before this run is not known', before);
  const changed = before === 'failing' ? await changedProgram(evidence, ask) : null;
  if (changed !== null) return changed;
  if (before === 'failing' && (isGiven || evidence.newCode.length === 0))
    return redThenGreen(evidence, passed(evidence), ask);
  // A person who sets what a command prints states an example, as a goal does.
  if (evidence.stated !== null)
    return proved(
      `${passed(evidence)}; as the template says, it prints ${JSON.stringify(evidence.stated)}`,
    );
  const own = await noticedAlterations(evidence, ask);
  if (own !== null) return own;
  const why = whyExamplesProveNothing(evidence, missing);
  return unproved(
    why === null
      ? `${proof.cmd} runs, but no example in the goal shows what it must print: look at its output`
      : `${proof.cmd} passes, but ${why}`,
  );
}
