/** A proposed plan as the rules of languages see it. Pure. */
import type { Installed } from '../languages/language.ts';
import { isTestPath, languageOf } from '../languages/languages.ts';
import type { PlannedWork } from '../languages/plan-rules.ts';
import { subtasksOf } from '../schema/plan.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan } from './plan-schema.ts';

/** Files that a plan writes anew, in its order. */
export const writtenFiles = (proposed: ProposedPlan): readonly string[] =>
  subtasksOf(proposed).flatMap((one) => (one.action === 'write_file' ? [one.file] : []));

export function plannedWork(proposed: ProposedPlan, context: PlanContext): PlannedWork {
  const subtasks = subtasksOf(proposed);
  const changes = subtasks.flatMap((one) =>
    one.action === 'write_file' || one.action === 'edit_file' ? [one.file] : [],
  );
  return {
    goal: context.goal,
    writes: subtasks.filter((one) => one.action === 'write_file'),
    changes,
    proof: proposed.verify?.cmd ?? '',
    files: context.files,
    hasTests: [...changes, ...context.files].some(isTestPath),
  };
}

/** The command that runs a file with what is installed, `null` where nothing here can. */
export const runCommand = (file: string, installed: Installed): string | null =>
  languageOf(file).runs?.run(file, installed) ?? null;
