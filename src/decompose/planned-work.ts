/** What a proposed plan writes and runs. Pure. */

import { namedFiles } from '../languages/files/named-files.ts';
import type { Installed } from '../languages/language.ts';
import { languageOf, runsAsCode } from '../languages/languages.ts';
import { isWholeWrite } from '../schema/capability.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';

/** With `/`, and without the folder they stand in anyway. */
export const normalPath = (file: string): string =>
  file.replaceAll('\\', '/').replace(/^(\.\/)+/, '');

/** Files that a plan writes anew, in its order. */
export const writtenFiles = (proposed: ProposedPlan): readonly string[] =>
  subtasksOf(proposed).flatMap((one) => (isWholeWrite(one) ? [one.target] : []));

/** Code that the goal names, and that is neither there nor among these. @param made from the workspace on, with `/` */
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

/** The command that runs a file with what is installed, `null` where nothing here can. */
export function runCommand(file: string, installed: Installed): string | null {
  const { runs } = languageOf(file);
  return runs?.canRun(installed) ? runs.run(file, installed) : null;
}
