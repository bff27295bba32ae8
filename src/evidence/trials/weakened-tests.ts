/**
 * Existing tests that the run changed, and test settings that it made: in their earlier form they must pass
 * with the new code. Pure except for the trials it requests.
 */
import { firstFailure } from '../../languages/testing/test-output.ts';
import { type Ask, type Evidence, listed, unproved, type Verdict } from '../evidence.ts';

/** With more changed files the failing one is not identified. */
const MOST_TRIED = 6;

export async function weakenedTests(
  { changedTests, newSettings }: Evidence,
  ask: Ask,
): Promise<Verdict | null> {
  if (changedTests.length === 0) return null;
  const answer = await ask({ what: 'old_tests' });
  if (answer.kind === 'ran' && answer.passed) return null;
  if (changedTests.every((path) => newSettings.includes(path))) {
    const it = changedTests.length > 1 ? 'them' : 'it';
    const head = `this run made ${listed(changedTests)}, by which tests are run`;
    return answer.kind === 'ran'
      ? unproved(`${head}: without ${it}, the tests fail with the new code`)
      : unproved(`${head}, and the tests without ${it} could not be run`);
  }
  if (answer.kind !== 'ran')
    return unproved(`${changed(changedTests)}, and in the earlier form the tests could not be run`);
  const guilty = await failingAlone(changedTests, ask);
  const [first] = guilty;
  const paths = first === undefined ? changedTests : guilty.map(({ path }) => path);
  const why = firstFailure(first?.output ?? answer.output);
  const they =
    paths.length > 1 ? 'in their earlier form they fail' : 'in its earlier form it fails';
  return unproved(
    `${changed(paths)}: ${they} with the new code${why === '' ? '' : `: ${why}`}`,
    'earlier_tests_fail',
  );
}

function changed(paths: readonly string[]): string {
  const [it, were] = paths.length > 1 ? ['them', 'were'] : ['it', 'was'];
  return `${listed(paths)} ${were} there before the run, which changed ${it}`;
}

interface Failing {
  readonly path: string;
  readonly output: string;
}

/** Files whose earlier form alone makes the tests fail; empty when only several together do. */
async function failingAlone(paths: readonly string[], ask: Ask): Promise<readonly Failing[]> {
  if (paths.length === 1 || paths.length > MOST_TRIED) return [];
  const failing: Failing[] = [];
  for (const path of paths) {
    const answer = await ask({ what: 'old_tests', path });
    // Without an answer the failing file cannot be identified.
    if (answer.kind === 'none') return [];
    if (answer.kind === 'ran' && !answer.passed) failing.push({ path, output: answer.output });
  }
  return failing;
}
