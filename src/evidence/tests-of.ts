/** Which tests the folder had before the run, and which of them it changed or made. */
import { withoutDependencies } from '../languages/builds/dependencies.ts';
import {
  bearsOnTests,
  belongsToTests,
  configuresOtherTests,
  configuresTests,
  isTestPath,
} from '../languages/languages.ts';
import type { Proof } from '../schema/plan.ts';
import { hasOtherTests, holdsNoTest } from './inner-tests.ts';
import { testDataIn } from './test-data.ts';
import { commandView, madeIn, type RunWork, textBefore, type WorkPort } from './work.ts';

export interface TestsOfRun {
  /** Existing files that a known runner picks up by their names. */
  readonly given: readonly string[];
  readonly changed: readonly string[];
  /** Changed files of code with tests in them. */
  readonly inner: readonly string[];
  /** Changed files that only tests and the proof use. */
  readonly data: readonly string[];
  readonly own: readonly string[];
}

/** True for a changed file that may decide which tests run and how. */
export function steersTests(path: string, run: Pick<WorkPort, 'world'>, work: RunWork): boolean {
  if (!bearsOnTests(path)) return false;
  const rest = withoutDependencies(path);
  if (rest === null) return true;
  return rest(textBefore(path, run, work) ?? '') !== rest(run.world.readText(path) ?? '');
}

/** @param isNamed true for a file that the goal names */
export function testsOf(
  run: WorkPort,
  work: RunWork,
  proof: Proof,
  isNamed: (path: string) => boolean,
): TestsOfRun {
  const { changed, disk } = work;
  // A file without a test, such as the one that a generator makes with an app, is as good as none.
  const isFilled = ({ path, before }: (typeof changed)[number]): boolean =>
    before !== null && belongsToTests(path) && holdsNoTest(path, textBefore(path, run, work));
  const filled = new Set(changed.filter(isFilled).map(({ path }) => path));
  const made = new Set([...madeIn(work), ...filled]);
  const found = disk.files.filter((path) => isTestPath(path) && !made.has(path));
  const removed = changed.filter((file) => file.after === null && file.before !== null);
  const wereThere = new Set([
    ...found,
    ...removed.map(({ path }) => path).filter((path) => isTestPath(path)),
  ]);
  const really = changed.filter((file) => file.before !== file.after);
  const bearing = really.filter(({ path }) => steersTests(path, run, work));
  // New settings can exclude tests just as changed ones can.
  const isTelling = ({ path, before }: (typeof bearing)[number]): boolean =>
    !filled.has(path) &&
    (wereThere.size === 0
      ? before !== null && (belongsToTests(path) || configuresOtherTests(path))
      : before !== null || configuresTests(path) || !belongsToTests(path));
  const inner = really
    .map(({ path }) => path)
    .filter((path) => !bearsOnTests(path))
    .filter((path) => hasOtherTests(path, textBefore(path, run, work), run.world.readText(path)));
  const data = testDataIn(
    really.flatMap(({ path, before }) => (before === null ? [] : [path])),
    proof,
    isNamed,
    {
      ...commandView(run, work),
      files: [...new Set([...disk.files, ...changed.map(({ path }) => path)])],
    },
  );
  return {
    given: [...wereThere],
    changed: [...bearing.filter(isTelling).map(({ path }) => path), ...inner, ...data],
    inner,
    data,
    own: bearing
      .filter(({ path, after }) => made.has(path) && after !== null && belongsToTests(path))
      .map(({ path }) => path),
  };
}
