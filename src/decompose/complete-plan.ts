/**
 * What a goal asks for and the last plan a model gave leaves out, put in by us: a plan that says
 * most of what is to be done is better than none. Pure.
 */
import { posix } from 'node:path';
import type { PlanContext } from './plan-context.ts';
import { missingPackage, UNNAMED, untestedFiles } from './plan-faults.ts';
import type { ProposedPlan, ProposedSubtask } from './plan-schema.ts';
import { withTestsRun } from './tidy.ts';

export function completePlan(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  return withProof(withTests(asPackage(proposed, context), context));
}

const subtasksOf = ({ tasks }: ProposedPlan): readonly ProposedSubtask[] =>
  tasks.flatMap((task) => task.subtasks);

/** The only module becomes what the package holds. */
function asPackage(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const folder = missingPackage(subtasksOf(proposed), context);
  const modules = subtasksOf(proposed).filter(
    (subtask) => subtask.action === 'write_file' && /^(?!test_)\w+\.py$/.test(subtask.file),
  );
  const [only] = modules;
  if (folder === null || folder === UNNAMED || modules.length !== 1) return proposed;
  const moved = (subtask: ProposedSubtask): ProposedSubtask =>
    subtask === only && subtask.action === 'write_file'
      ? { ...subtask, file: `${folder}/__init__.py` }
      : subtask;
  const tasks = proposed.tasks.map((task) => ({ ...task, subtasks: task.subtasks.map(moved) }));
  return { ...proposed, tasks };
}

function withTests(proposed: ProposedPlan, context: PlanContext): ProposedPlan {
  const [file] = untestedFiles(proposed, subtasksOf(proposed), context) ?? [];
  if (file === undefined) return proposed;
  const folder = posix.dirname(file);
  const name = file.endsWith('/__init__.py') ? posix.basename(folder) : posix.basename(file, '.py');
  const tests: ProposedSubtask = {
    action: 'write_file',
    file: `test_${name}.py`,
    purpose: `tests of ${name}`,
  };
  return { ...proposed, tasks: [...proposed.tasks, { description: 'Tests', subtasks: [tests] }] };
}

/** A program that runs and prints something shows more than nothing does. */
function withProof(given: ProposedPlan): ProposedPlan {
  const proposed = withTestsRun(given);
  const [program] = subtasksOf(proposed).flatMap((one) =>
    one.action === 'write_file' && /\.(?:py|[mc]?js)$/.test(one.file) ? [one.file] : [],
  );
  if (program === undefined || (proposed.verify?.cmd.trim() ?? '') !== '') return proposed;
  const runner = program.endsWith('.py') ? 'python' : 'node';
  return { ...proposed, verify: { cmd: `${runner} ${program}` } };
}
