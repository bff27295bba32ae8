/** What a proposed plan writes and runs. Pure. */

import { namedFiles } from '../languages/files/named-files.ts';
import type { Installed } from '../languages/language.ts';
import { languageOf, runsAsCode } from '../languages/languages.ts';
import { isWholeWrite } from '../schema/capability.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';

/** Uses `/` and drops a leading `./`. */
export const normalPath = (file: string): string =>
  file.replaceAll('\\', '/').replace(/^(\.\/)+/, '');

/** Files that a plan writes whole, in its order. */
export const plannedWrites = (proposed: ProposedPlan): readonly string[] =>
  subtasksOf(proposed).flatMap((one) => (isWholeWrite(one) ? [one.target] : []));

/**
 * Code files that the goal names and that neither exist nor are among these.
 * @param made paths relative to the workspace, with `/`
 */
export const namedAndMissing = (
  made: readonly string[],
  { goal, exists, files }: Pick<PlanContext, 'goal' | 'exists' | 'files'>,
): readonly string[] =>
  namedFiles(goal, () => false).filter(
    (name) =>
      runsAsCode(name) &&
      !exists(name) &&
      ![...made, ...files].some((path) => `/${path}`.endsWith(`/${name}`)),
  );

/** The command that runs a file with the installed programs; `null`: none can. */
export function commandRunning(file: string, installed: Installed): string | null {
  const { runs } = languageOf(file);
  return runs?.canRun(installed) ? runs.run(file, installed) : null;
}
