/**
 * Existing tests that the run changed, and test settings that it made: in their earlier form they must pass
 * with the new code. Pure except for the trials it requests.
 */
import { belongsToTests } from '../../languages/languages.ts';
import { testCountsIn, testsInAllParts } from '../../languages/testing/test-output.ts';
import { defined } from '../../lib/defined.ts';
import {
  type AskTrial,
  type Evidence,
  listed,
  type TrialAnswer,
  unproved,
  type Verdict,
} from '../evidence.ts';
import { allFailed, failedTestsText, ranNone } from './test-answers.ts';

/** With more changed files, no trial looks for the failing one. */
const MAX_TRIED = 6;

export async function weakenedTests(evidence: Evidence, ask: AskTrial): Promise<Verdict | null> {
  const { changedTests, innerTests, newSettings, renames } = evidence;
  if (changedTests.length === 0) return fewerTests(evidence, ask);
  const those = (paths: readonly string[]): ChangedTestFiles => ({
    paths,
    names: paths.map((one) => (innerTests.includes(one) ? `the tests in ${one}` : one)),
    areMany: paths.length > 1 || innerTests.includes(paths[0] ?? ''),
  });
  const answer = await ask({ what: 'old_tests' });
  if (answer.kind === 'ran' && (answer.passed || renames.length > 0)) return null;
  if (changedTests.every((path) => newSettings.includes(path))) {
    const it = changedTests.length > 1 ? 'them' : 'it';
    const head = `this run made ${listed(changedTests)}, by which tests are run`;
    return answer.kind === 'ran'
      ? unproved(`${head}: without ${it}, the tests fail with the new code`)
      : unproved(`${head}, and the tests without ${it} could not be run${whyNot(answer)}`);
  }
  if (ranNone(answer)) return unselectedTests(those(changedTests), ask);
  if (answer.kind !== 'ran') return notRun(those(changedTests), answer);
  const guilty = await failingAlone(changedTests, ask);
  const [first] = guilty;
  const paths = first === undefined ? changedTests : guilty.map(({ path }) => path);
  return fails(those(paths), failedTestsText(first?.output ?? answer.output));
}

/**
 * Unchanged tests that no longer run, or are skipped: code can end their process, or skip them. The recorded
 * counts may lack a part of the run, so both are counted again.
 */
async function fewerTests(
  { proof, printed, tests, testsBefore, wantedTests }: Evidence,
  ask: AskTrial,
): Promise<Verdict | null> {
  if (testsBefore === null || printed === null || wantedTests.length > 0) return null;
  if ((tests?.passed ?? testsInAllParts(printed).passed) >= testsBefore) return null;
  const [was, plain] = [await ask({ what: 'before' }), await ask({ what: 'unchanged' })];
  // A quiet run counts its tests only where they fail.
  const isQuiet = plain.kind === 'ran' && testCountsIn(plain.output) === null;
  const is = isQuiet ? await ask({ what: 'seen', red: [], now: true }) : plain;
  const counted = was.kind === 'ran' ? (was.tests ?? testCountsIn(was.output)) : null;
  if (was.kind !== 'ran' || is.kind !== 'ran' || counted?.passed == null) return null;
  const now = { ...testsInAllParts(is.output), ...passedOf(is.tests) };
  const more = now.skipped - testsInAllParts(was.output).skipped;
  const of = (count: number): string => `${count} ${count === 1 ? 'test' : 'tests'}`;
  if (now.passed < counted.passed)
    return fewer(
      `${proof.cmd} passes with ${of(now.passed)}, and before this run ${counted.passed} passed`,
    );
  return more > 0 && now.passed < counted.passed + counted.failed
    ? fewer(`${proof.cmd} passes, but skips ${of(more)} more than before this run`)
    : null;
}

/** The count from the whole output, of which only a part is kept. */
const passedOf = (tests: Evidence['tests']): { readonly passed?: number } =>
  tests?.passed == null ? {} : { passed: tests.passed };

const fewer = (words: string): Verdict => unproved(words, 'earlier_tests_fail');

/**
 * Tests whose names changed with the code. Whether the old names had to stay, only the goal can tell, so
 * nothing is claimed; the verdict still tells what was shown.
 */
export async function withRenames(
  verdict: Verdict,
  { changedTests, renames }: Evidence,
  ask: AskTrial,
): Promise<Verdict> {
  if (renames.length === 0 || !verdict.isProved) return verdict;
  const answer = await ask({ what: 'old_tests' });
  if (answer.kind === 'ran' && answer.passed) return verdict;
  const pass = changedTests.length > 1 ? 'pass' : 'passes';
  return unproved(
    `${verdict.words}; but ${listed(changedTests)} ${pass} only with ${listed(renames)}`,
  );
}

/** Tests that the run changed. */
interface ChangedTestFiles {
  readonly paths: readonly string[];
  /** Their names in words for people. */
  readonly names: readonly string[];
  readonly areMany: boolean;
}

const notRun = (those: ChangedTestFiles, answer: TrialAnswer | null): Verdict =>
  unproved(
    `${changed(those)}, and in the earlier form the tests could not be run${whyNot(answer)}`,
  );

const whyNot = (answer: TrialAnswer | null): string =>
  answer?.kind === 'none' ? `: ${answer.why}` : '';

function fails(those: ChangedTestFiles, why: string): Verdict {
  const they = those.areMany ? 'in their earlier form they fail' : 'in its earlier form it fails';
  return unproved(
    `${changed(those)}: ${they} with the new code${why === '' ? '' : `: ${why}`}`,
    'earlier_tests_fail',
  );
}

/**
 * The proof runs none of the existing tests, so their files are tried as a whole. In its earlier form a test
 * may only fail as it failed before the run and still does. A test that is gone, or that was made to pass,
 * was weakened.
 */
async function unselectedTests(those: ChangedTestFiles, ask: AskTrial): Promise<Verdict | null> {
  const files = those.paths.filter(belongsToTests);
  for (const path of files.length > 0 ? files : [undefined]) {
    const given = { what: 'given_tests', ...defined({ path }) } as const;
    const answer = await ask({ ...given, code: 'new' });
    if (answer.kind === 'ran' && answer.passed) continue;
    const names = answer.kind === 'ran' ? allFailed(answer) : null;
    const before = names && (await ask({ ...given, code: 'old' }));
    const now = before && (await ask({ ...given, code: 'now' }));
    if (names === null || before?.kind !== 'ran' || now?.kind !== 'ran')
      return notRun(those, [answer, before, now].find((one) => one?.kind === 'none') ?? null);
    const others = names.filter((name) =>
      [before, now].some(({ failed = [] }) => !failed.includes(name)),
    );
    if (others.length > 0) return fails(those, listed(others));
  }
  return null;
}

function changed({ names, areMany }: ChangedTestFiles): string {
  const [it, were] = areMany ? ['them', 'were'] : ['it', 'was'];
  return `${listed(names)} ${were} there before the run, which changed ${it}`;
}

interface Failing {
  readonly path: string;
  readonly output: string;
}

/** Files whose earlier form makes the tests fail by itself; empty if only several together do. */
async function failingAlone(paths: readonly string[], ask: AskTrial): Promise<readonly Failing[]> {
  if (paths.length === 1 || paths.length > MAX_TRIED) return [];
  const failing: Failing[] = [];
  for (const path of paths) {
    const answer = await ask({ what: 'old_tests', path });
    // Without an answer the failing file cannot be identified.
    if (answer.kind === 'none') return [];
    if (answer.kind === 'ran' && !answer.passed) failing.push({ path, output: answer.output });
  }
  return failing;
}
