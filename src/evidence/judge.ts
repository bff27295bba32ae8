/**
 * Decides whether a proof that passed shows what the goal asks for. Pure except for the trials it requests; it
 * requests them one at a time and stops as soon as the answer is clear.
 * 1. If the proof alone failed before the work, still fails with the old files and passes now, the work is shown.
 * 2. If nothing could run before the work, a pass only shows that something runs: the goal must state the output,
 *    or the tests must fail when the code does nothing.
 * 3. A question that the copy cannot answer is never evidence in favour.
 */
import {
  type AskTrial,
  type Evidence,
  listed,
  proved,
  type TrialAnswer,
  unproved,
  type Verdict,
} from './evidence.ts';
import { programVerdict } from './program-verdict.ts';
import { notNoticed, PASSED_BEFORE, passed, redBefore, unknownBecause } from './said-of-proof.ts';
import { askOnce } from './trials/ask-once.ts';
import { missingOfTests } from './trials/asked-tests.ts';
import { blindTests } from './trials/blind-tests.ts';
import { changedProgram } from './trials/changed-program.ts';
import { onlyCrashing } from './trials/crashing-tests.ts';
import { canBeNoticed } from './trials/noticed-alterations.ts';
import { noticedAnyhow } from './trials/only-tests.ts';
import {
  failedExample,
  givesOnlyThat,
  ignoredInput,
  withoutExample,
} from './trials/passing-examples.ts';
import { ownNotSeenPassing } from './trials/seen-passing.ts';
import { redThenGreen, stillFailing, withOldFailures } from './trials/still-red.ts';
import { swappedProof } from './trials/swapped-proof.ts';
import { weakenedTests, withRenames } from './trials/weakened-tests.ts';
import { unusedInput } from './unused-input.ts';

export async function judgeProof(evidence: Evidence, ask: AskTrial): Promise<Verdict> {
  const copy = askOnce(ask);
  const shown = await withRenames(await judged(evidence, copy), evidence, copy);
  return withOldFailures(shown, evidence, copy);
}

async function judged(evidence: Evidence, copy: AskTrial): Promise<Verdict> {
  const against =
    failedExample(evidence) ??
    ignoredInput(evidence) ??
    ownDependencies(evidence) ??
    (await swappedProof(evidence, copy)) ??
    (await stillFailing(evidence, copy)) ??
    (await weakenedTests(evidence, copy)) ??
    passedBefore(evidence) ??
    (await unusedInput(evidence, copy)) ??
    (await missingOfTests(evidence, copy));
  if (against) return against;
  if (!evidence.isTestRun) return programVerdict(evidence, copy);
  return (await changedProgram(evidence, copy)) ?? testsVerdict(evidence, copy);
}

const asSaid = ({ examples: { held } }: Evidence): string =>
  held.length === 0 ? '' : `; as the goal says, ${listed(held.map(({ says }) => says))}`;

function ownDependencies({ proof, ownDependencies }: Evidence): Verdict | null {
  return ownDependencies.length === 0
    ? null
    : unproved(
        `${proof.cmd} passes, but this run wrote ${listed(ownDependencies)} among installed packages`,
      );
}

/**
 * The verdict without any trial, where the proof passed before the run and nothing in it can show the run's
 * work.
 */
function passedBefore(evidence: Evidence): Verdict | null {
  const { proof, before, isNew, isTestRun, isReading, hasGivenTests, examples } = evidence;
  const mayShow = isTestRun
    ? !hasGivenTests || testsOf(evidence).length > 0
    : isReading || examples.held.length > 0 || canBeNoticed(evidence);
  return before === 'passed' && !isNew && !mayShow
    ? unproved(`${proof.cmd} ${PASSED_BEFORE}`)
    : null;
}

/** Tests that may show this run's work. Changed tests count only if the run changed code as well. */
const testsOf = ({ ownTests, wantedTests, changedTests, code }: Evidence): readonly string[] => [
  ...[...ownTests, ...wantedTests],
  ...(code.length > 0 ? changedTests : []),
];

async function testsVerdict(evidence: Evidence, ask: AskTrial): Promise<Verdict> {
  const { proof, hasGivenTests, wantedTests } = evidence;
  if (hasGivenTests && !evidence.isNew) {
    const before = await redBefore(evidence, ask);
    if (before === 'failing' && wantedTests.length === 0 && !evidence.hasOtherWork)
      return unproved(`${proof.cmd} passes, but nothing was changed that it is about`);
    if (before === 'failing' && wantedTests.length === 0)
      return redThenGreen(evidence, passed(evidence), ask);
    // The earlier tests pass with the new code, so this run only added to them.
    if (testsOf(evidence).length === 0)
      return typeof before === 'string'
        ? unproved(`${proof.cmd} ${PASSED_BEFORE}`)
        : unknownBecause(evidence, 'whether it did so before this run is not known', before);
  }
  return ownTestsVerdict(evidence, ask);
}

function unchangedText(paths: readonly string[]): string {
  const [are, them] = paths.length > 1 ? ['are', 'them'] : ['is', 'it'];
  return `${listed(paths)} ${are} unchanged, although the plan changes ${them}`;
}

/** Tests that this run wrote count if they fail without the code that it wrote. */
async function ownTestsVerdict(evidence: Evidence, ask: AskTrial): Promise<Verdict> {
  const { proof, code, hasChangedOldCode, ineffectiveEdits } = evidence;
  // New code may pass by itself while the code that should use it is unchanged.
  if (ineffectiveEdits.length > 0)
    return unproved(
      `${proof.cmd} passes, but ${unchangedText(ineffectiveEdits)}`,
      'named_file_unchanged',
    );
  if (hasChangedOldCode) {
    const answer = await ask({ what: 'old_code' });
    if (answer.kind !== 'ran')
      return unknownBecause(
        evidence,
        'it is not known whether it does so with the old code',
        answer,
      );
    if (answer.passed) return asWithOldCode(evidence);
  }
  const noticed: string[] = [];
  for (const path of code) {
    const answer = await ask({ what: 'emptied', path });
    if (answer.kind === 'nothing') continue;
    if (answer.kind === 'none') {
      const missing = unknownBecause(
        evidence,
        `it is not known whether its tests notice ${path}`,
        answer,
      );
      return answer.isLate ? lateVerdict(evidence, ask, missing) : missing;
    }
    if (answer.passed)
      return notNoticed(`the tests pass even when ${path} does nothing: ${proof.cmd}`);
    noticed.push(path);
  }
  // The strongest evidence comes first, because time may run out.
  const hollow = await unnoticedConstants(noticed, ask);
  if (hollow.length > 0)
    return notNoticed(
      `the tests pass even when ${listed(hollow)} ${hollow.length > 1 ? 'give' : 'gives'} back only constants (0, '', true, nothing): ${proof.cmd}`,
    );
  if (noticed.length === 0) return oldCodeVerdict(evidence, ask);
  const crashing = await onlyCrashing(evidence, noticed, ask);
  if (crashing !== null) return crashing;
  const wasRed = async () => !evidence.isNew && (await redBefore(evidence, ask)) === 'failing';
  const against =
    (await noticedAnyhow(evidence, noticed, ask, wasRed)) ??
    (evidence.ownTestsProve
      ? await givesOnlyThat(evidence, ask)
      : await withoutExample(evidence, ask));
  if (against) return against;
  const [path = ''] = noticed;
  const red = await ask({ what: 'emptied', path });
  const how = await failsWithout(evidence, noticed, ask);
  return byOwnTests(evidence, { how, red, failed: `failed with ${path} emptied` }, ask);
}

interface OwnFailed {
  /** How it is known that they notice the work. */
  readonly how: string;
  readonly red: TrialAnswer;
  readonly failed: string;
}

/** The failed tests must be seen passing, and they must compare what they are given. */
async function byOwnTests(
  evidence: Evidence,
  { how, red, failed }: OwnFailed,
  ask: AskTrial,
): Promise<Verdict> {
  const unseen = await ownNotSeenPassing(evidence, red, failed, ask);
  if (typeof unseen !== 'string') return unseen;
  const shown = `${passed(evidence)}; checked: the tests of this run fail with ${how}${asSaid(evidence)}`;
  return (
    (await blindTests(evidence, red, ask, 'own_code_missing')) ??
    proved(unseen === '' ? shown : `${shown}; ${unseen}`)
  );
}

const OLD_CODE = 'the code as it was before';

/**
 * A refactoring keeps behaviour, so passing with the old code is right. Only if the run has its own tests can
 * work repair this.
 */
function asWithOldCode({ proof, ownTests, wantedTests, changedTests }: Evidence): Verdict {
  const words = `${proof.cmd} passes with ${OLD_CODE}, too`;
  const hasTests = ownTests.length + wantedTests.length + changedTests.length > 0;
  return hasTests ? notNoticed(words) : unproved(words);
}

/** Failing with the old code is stronger than failing with emptied code. New files have no old code. */
async function failsWithout(
  evidence: Evidence,
  noticed: readonly string[],
  ask: AskTrial,
): Promise<string> {
  const { hasChangedOldCode, newCode } = evidence;
  const emptied = (paths: readonly string[]): string => `${listed(paths)} emptied`;
  if (!hasChangedOldCode || !(await wereGreen(evidence, ask))) return emptied(noticed);
  const made = noticed.filter((path) => newCode.includes(path));
  return made.length === 0 ? OLD_CODE : `${OLD_CODE}, and with ${emptied(made)}`;
}

/**
 * True when the existing tests passed before, so that only the new tests can fail with the old code. A proof
 * that names something new could not have passed.
 */
const wereGreen = async (evidence: Evidence, ask: AskTrial): Promise<boolean> =>
  !evidence.hasGivenTests || (!evidence.isNew && (await redBefore(evidence, ask)) === 'passed');

/**
 * Files whose return values no test checks; empty as soon as the tests notice the values of one file, because
 * an entry point may return anything that works. Code that returns no value passes with constants too, which
 * shows nothing about its tests.
 */
async function unnoticedConstants(
  code: readonly string[],
  ask: AskTrial,
): Promise<readonly string[]> {
  const unnoticed: string[] = [];
  for (const path of code) {
    const constant = await ask({ what: 'constant', path });
    if (constant.kind !== 'ran') continue;
    if (!constant.passed) return [];
    const valueless = await ask({ what: 'no_value', path });
    if (valueless.kind !== 'ran' || !valueless.passed) unnoticed.push(path);
  }
  return unnoticed;
}

/**
 * Used when there was no time to empty all code. Failing with the old code then counts, unless it fails only
 * because a file did not exist yet.
 */
async function lateVerdict(evidence: Evidence, ask: AskTrial, missing: Verdict): Promise<Verdict> {
  if (!evidence.hasChangedOldCode || evidence.newCode.length > 0) return missing;
  const verdict = await oldCodeVerdict(evidence, ask);
  return verdict.isProved ? verdict : missing;
}

/**
 * Used when nothing can be emptied: the new tests, and only these, must fail with the old code, and the
 * existing tests passed with it. Tests that a guided model wrote for itself are not evidence.
 */
async function oldCodeVerdict(evidence: Evidence, ask: AskTrial): Promise<Verdict> {
  const { proof, code, hasChangedOldCode, ownTestsProve } = evidence;
  const none = `${proof.cmd} passes, but nothing shows that its tests would notice a fault`;
  if (!hasChangedOldCode) return code.length > 0 ? notNoticed(none) : unproved(none);
  if (!ownTestsProve || !(await wereGreen(evidence, ask)))
    return unproved(
      `${proof.cmd} passes, and fails with ${OLD_CODE}; it is not known whether its own tests tell the two apart`,
    );
  const red = await ask({ what: 'old_code' });
  return byOwnTests(evidence, { how: OLD_CODE, red, failed: `failed with ${OLD_CODE}` }, ask);
}
