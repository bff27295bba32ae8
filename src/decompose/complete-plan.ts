/**
 * What a goal asks for and the last plan a model gave leaves out, put in by us: a plan that says
 * most of what is to be done is better than none. Pure.
 */

import { LANGUAGES } from '../languages/languages.ts';
import type { Completion } from '../languages/plan-rules.ts';
import { isWholeWrite } from '../schema/doing.ts';
import { withoutCopiedWords } from './example-leaks.ts';
import type { PlanContext } from './plan-context.ts';
import { refusalOfProof } from './plan-faults.ts';
import { type ProposedPlan, type ProposedSubtask, subtaskWith } from './plan-schema.ts';
import { plannedWork } from './planned-work.ts';
import { withSomeProof } from './tidy-proof.ts';

export function completePlan(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  let completed = withoutCopiedWords(withoutRefusedProof(proposed, context), context);
  for (const { plan } of LANGUAGES) {
    if (!plan) continue;
    completed = withCompletion(completed, plan.complete(plannedWork(completed, context)), context);
  }
  return withSomeProof(completed, context);
}

const withoutRefusedProof = (proposed: ProposedPlan, context: PlanContext): ProposedPlan =>
  refusalOfProof(proposed, context) === null ? proposed : { ...proposed, verify: undefined };

function withCompletion(
  proposed: ProposedPlan,
  { renamed, added }: Completion,
  { tools }: PlanContext,
): ProposedPlan {
  const moved = (subtask: ProposedSubtask): ProposedSubtask =>
    isWholeWrite(subtask) && subtask.target === renamed?.from
      ? { ...subtask, target: renamed.to }
      : subtask;
  const tasks = proposed.tasks.map((task) => ({ ...task, subtasks: task.subtasks.map(moved) }));
  const writer = tools.find(isWholeWrite);
  if (added === null || !writer) return { ...proposed, tasks };
  const { description, file: target, purpose } = added;
  const write = subtaskWith(writer, target, purpose);
  return { ...proposed, tasks: [...tasks, { description, subtasks: [write] }] };
}
