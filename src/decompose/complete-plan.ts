/**
 * What a goal asks for and the last plan a model gave leaves out, put in by us: a plan that says
 * most of what is to be done is better than none. Pure.
 */
import type { Installed } from '../languages/language.ts';
import { LANGUAGES } from '../languages/languages.ts';
import type { Completion } from '../languages/plan-rules.ts';
import type { PlanContext } from './plan-context.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { plannedWork, runCommand, writtenFiles } from './planned-work.ts';
import { withTestsRun } from './tidy.ts';

export function completePlan(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  let completed = proposed;
  for (const { plan } of LANGUAGES) {
    if (plan) completed = withCompletion(completed, plan.complete(plannedWork(completed, context)));
  }
  return withProof(completed, context.installed);
}

function withCompletion(proposed: ProposedPlan, { renamed, added }: Completion): ProposedPlan {
  const moved = (subtask: ProposedSubtask): ProposedSubtask =>
    subtask.action === 'write_file' && subtask.file === renamed?.from
      ? { ...subtask, file: renamed.to }
      : subtask;
  const tasks = proposed.tasks.map((task) => ({ ...task, subtasks: task.subtasks.map(moved) }));
  if (added === null) return { ...proposed, tasks };
  const { description, file, purpose } = added;
  const write: ProposedSubtask = { action: 'write_file', file, purpose };
  return { ...proposed, tasks: [...tasks, { description, subtasks: [write] }] };
}

/** A program that runs and prints something shows more than nothing does. */
function withProof(given: ProposedPlan, installed: Installed): ProposedPlan {
  const proposed = withTestsRun(given, installed);
  if ((proposed.verify?.cmd.trim() ?? '') !== '') return proposed;
  const [cmd] = writtenFiles(proposed).flatMap((file) => runCommand(file, installed) ?? []);
  return cmd === undefined ? proposed : { ...proposed, verify: { cmd } };
}
