/** Files that a plan must not change. Pure. */
import { belongsToTests } from '../languages/languages.ts';
import { namesFile } from '../probe/names-file.ts';
import type { PlanContext } from './plan-context.ts';
import { normalPath } from './planned-work.ts';

type Planned = Pick<PlanContext, 'brief' | 'exists' | 'finishedFiles'>;
type PlannedTests = Planned & Pick<PlanContext, 'goal' | 'testsFail'>;

/** True for an existing file that the goal says must stay. A file that has still to be created cannot be one. */
export function isToStay(file: string, { brief, exists, finishedFiles }: Planned): boolean {
  const path = normalPath(file);
  const isSaid = brief?.keep.some((one) => normalPath(one.path) === path) ?? false;
  return isSaid && exists(path) && !finishedFiles.includes(path);
}

/**
 * True for existing tests, which define what is right. A goal that asks for tests may add to them. If they
 * fail, the goal must name the file, or the work could end by changing what it is measured against.
 */
export function isUsersTest(file: string, context: PlannedTests): boolean {
  const path = normalPath(file);
  const { goal, brief, exists, finishedFiles, testsFail } = context;
  const isAskedFor = brief?.tests !== undefined && (testsFail !== true || namesFile(goal, path));
  return !isAskedFor && belongsToTests(path) && exists(path) && !finishedFiles.includes(path);
}
