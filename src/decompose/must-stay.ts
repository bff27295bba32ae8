/** Files that a plan may not work on. Pure. */
import { belongsToTests } from '../languages/languages.ts';
import { namesFile } from '../probe/names-file.ts';
import type { PlanContext } from './plan-context.ts';
import { normalPath } from './planned-work.ts';

type Planned = Pick<PlanContext, 'brief' | 'exists' | 'finishedFiles'>;
type PlannedTests = Planned & Pick<PlanContext, 'goal' | 'testsFail'>;

/** Of a file that was there and that the goal says must stay: one that is still to be made cannot. */
export function isToStay(file: string, { brief, exists, finishedFiles }: Planned): boolean {
  const path = normalPath(file);
  const isSaid = brief?.keep.some((one) => normalPath(one.path) === path) ?? false;
  return isSaid && exists(path) && !finishedFiles.includes(path);
}

/**
 * Of tests that were there: they say what is right. A goal that asks for tests may add to them; where
 * they fail it has to name the file, or the work would end by changing what it is measured against.
 */
export function isUsersTest(file: string, context: PlannedTests): boolean {
  const path = normalPath(file);
  const { goal, brief, exists, finishedFiles, testsFail } = context;
  const isAskedFor = brief?.tests !== undefined && (testsFail !== true || namesFile(goal, path));
  return !isAskedFor && belongsToTests(path) && exists(path) && !finishedFiles.includes(path);
}
