/** A proposed plan as the rules of languages see it. Pure. */

import { namedFiles } from '../languages/files/named-files.ts';
import type { Installed } from '../languages/language.ts';
import { isTestPath, languageOf, runsAsCode } from '../languages/languages.ts';
import type { PlannedWork } from '../languages/plan-rules.ts';
import { isWholeWrite, isWrite } from '../schema/capability.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';

/** With `/`, and without the folder they stand in anyway. */
export const normalPath = (file: string): string =>
  file.replaceAll('\\', '/').replace(/^(\.\/)+/, '');

/** Files that a plan writes anew, in its order. */
export const writtenFiles = (proposed: ProposedPlan): readonly string[] =>
  subtasksOf(proposed).flatMap((one) => (isWholeWrite(one) ? [one.target] : []));

export function plannedWork(proposed: ProposedPlan, context: PlanContext): PlannedWork {
  const subtasks = subtasksOf(proposed);
  const changes = subtasks.flatMap((one) => (isWrite(one) ? [one.target] : []));
  return {
    goal: context.goal,
    wantsTests: context.brief?.tests !== undefined,
    writes: writtenFiles(proposed).map(normalPath),
    changes,
    proof: proposed.verify?.cmd ?? '',
    files: context.files,
    hasTests: [...changes, ...context.files].some(isTestPath),
  };
}

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

/** True for a command that runs just this file, whatever the program is called: `python3`, `py`. */
export function isRunOf(cmd: string, file: string, installed: Installed): boolean {
  const rest = (line: string): string =>
    line.trim().split(/\s+/).slice(1).map(normalPath).join(' ');
  const run = runCommand(file, installed);
  return run !== null && rest(run) === rest(cmd);
}
