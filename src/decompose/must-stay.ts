/** Files that a plan may not work on. Pure. */
import { belongsToTests } from '../languages/languages.ts';
import type { PlanContext } from './plan-context.ts';
import { normalPath } from './planned-work.ts';

/** Of a file that the goal says must stay as it is. */
export function isToStay(file: string, { brief }: Pick<PlanContext, 'brief'>): boolean {
  const path = normalPath(file);
  return brief?.keep.some((one) => normalPath(one.path) === path) ?? false;
}

/**
 * Of tests that were there, and fail, where the goal asks for none: they say what is right, so the work is
 * on what they test.
 */
export function isGivenTest(
  file: string,
  {
    brief,
    exists,
    finishedFiles,
    testsFail,
  }: Pick<PlanContext, 'brief' | 'exists' | 'finishedFiles' | 'testsFail'>,
): boolean {
  const path = normalPath(file);
  return (
    testsFail === true &&
    brief?.tests === undefined &&
    belongsToTests(path) &&
    exists(path) &&
    !finishedFiles.includes(path)
  );
}
