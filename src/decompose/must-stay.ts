/** Files that a plan may not work on. Pure. */
import { belongsToTests } from '../languages/languages.ts';
import type { PlanContext } from './plan-context.ts';
import { normalPath } from './planned-work.ts';

type Planned = Pick<PlanContext, 'brief' | 'exists' | 'finishedFiles'>;

/** Of a file that was there and that the goal says must stay: one that is still to be made cannot. */
export function isToStay(file: string, { brief, exists, finishedFiles }: Planned): boolean {
  const path = normalPath(file);
  const isSaid = brief?.keep.some((one) => normalPath(one.path) === path) ?? false;
  return isSaid && exists(path) && !finishedFiles.includes(path);
}

/** Of tests that were there, where the goal asks for none: they say what is right. */
export function isUsersTest(file: string, { brief, exists, finishedFiles }: Planned): boolean {
  const path = normalPath(file);
  return (
    brief?.tests === undefined &&
    belongsToTests(path) &&
    exists(path) &&
    !finishedFiles.includes(path)
  );
}
