/** A proposed plan as the rules of languages see it. Pure. */
import type { Installed } from '../languages/language.ts';
import { isTestPath, languageOf } from '../languages/languages.ts';
import type { PlannedWork } from '../languages/plan-rules.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';

/** Files that a plan writes anew, in its order. */
export const writtenFiles = (proposed: ProposedPlan): readonly string[] =>
  subtasksOf(proposed).flatMap((one) => (one.does === 'writes_whole_files' ? [one.target] : []));

export function plannedWork(proposed: ProposedPlan, context: PlanContext): PlannedWork {
  const subtasks = subtasksOf(proposed);
  const changes = subtasks.flatMap((one) =>
    one.does === 'writes_whole_files' || one.does === 'edits_files' ? [one.target] : [],
  );
  return {
    goal: context.goal,
    writes: subtasks.flatMap(({ does, target: file, purpose }) =>
      does === 'writes_whole_files' ? [{ file, purpose }] : [],
    ),
    changes,
    proof: proposed.verify?.cmd ?? '',
    files: context.files,
    hasTests: [...changes, ...context.files].some(isTestPath),
  };
}

/** The command that runs a file with what is installed, `null` where nothing here can. */
export const runCommand = (file: string, installed: Installed): string | null =>
  languageOf(file).runs?.run(file, installed) ?? null;
