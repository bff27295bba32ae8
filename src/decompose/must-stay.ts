/** Files that a plan may not work on. Pure. */
import { belongsToTests } from '../languages/languages.ts';
import type { PlanContext } from './plan-context.ts';
import { normalPath } from './planned-work.ts';

/** Of a file that the goal says must stay as it is. */
export function isToStay(file: string, { brief }: Pick<PlanContext, 'brief'>): boolean {
  const path = normalPath(file);
  return brief?.keep.some((one) => normalPath(one.path) === path) ?? false;
}

/** Of tests that were there, where the goal asks for none: they say what is right. */
export function isGivenTest(
  file: string,
  { brief, exists, finishedFiles }: Pick<PlanContext, 'brief' | 'exists' | 'finishedFiles'>,
): boolean {
  const path = normalPath(file);
  return (
    brief?.tests === undefined &&
    belongsToTests(path) &&
    exists(path) &&
    !finishedFiles.includes(path)
  );
}
