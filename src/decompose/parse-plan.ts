/** A model's answer to the plan question, read, checked and tidied into a plan. */
import { posix } from 'node:path';
import type { Plan, Proof, Subtask, SubtaskStep } from '../schema/plan.ts';
import { completePlan } from './complete-plan.ts';
import type { PlanContext } from './plan-context.ts';
import { planFault } from './plan-faults.ts';
import { ProposedPlan, type ProposedSubtask } from './plan-schema.ts';
import { tidySubtasks } from './tidy.ts';

export type ParsedPlan =
  | {
      readonly kind: 'plan';
      readonly plan: Plan;
      /** What was wrong with it before it was completed by us, or ''. */
      readonly completed: string;
    }
  /** One sentence for the model. */
  | { readonly kind: 'fault'; readonly fault: string };

export function parsePlan(answer: string, context: PlanContext): ParsedPlan {
  const json = readJson(answer);
  if (json === undefined) return fault('Answer with one JSON object and nothing else.');
  const parsed = ProposedPlan.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return fault(`${issue?.path.join('.') || 'plan'}: ${issue?.message ?? 'not a plan'}`);
  }
  const proposed = withoutFinished(tidySubtasks(parsed.data, context), context);
  const wrong = planFault(proposed, context);
  if (wrong === null) return { kind: 'plan', plan: toPlan(proposed, context), completed: '' };
  if (!context.isLastTry) return fault(wrong);
  const completed = completePlan(proposed, context);
  return planFault(completed, context) === null
    ? { kind: 'plan', plan: toPlan(completed, context), completed: wrong }
    : fault(wrong);
}

/** What is written already stays as it is, mended as it may be, while something else is left. */
function withoutFinished(proposed: ProposedPlan, { finishedFiles }: PlanContext): ProposedPlan {
  const isLeft = (subtask: ProposedSubtask): boolean =>
    subtask.action !== 'write_file' || !finishedFiles.includes(normalPath(subtask.file));
  const tasks = proposed.tasks
    .map((task) => ({ ...task, subtasks: task.subtasks.filter(isLeft) }))
    .filter((task) => task.subtasks.length > 0);
  return tasks.length > 0 ? { ...proposed, tasks } : proposed;
}

/** The goal as the only subtask: what is left when a model gives no usable plan. */
export const fallbackPlan = (goal: string, firstTask: number): Plan => ({
  tasks: [
    {
      id: String(firstTask),
      description: goal,
      subtasks: [
        {
          id: `${firstTask}.1`,
          step: { action: 'goal' },
          purpose: goal,
          checks: [],
          status: 'pending',
        },
      ],
    },
  ],
  fallback: true,
});

const fault = (text: string): ParsedPlan => ({ kind: 'fault', fault: text });

function readJson(answer: string): unknown {
  const start = answer.indexOf('{');
  const end = answer.lastIndexOf('}');
  try {
    return JSON.parse(answer.slice(start, end + 1));
  } catch {
    return undefined;
  }
}

function toPlan(proposed: ProposedPlan, context: PlanContext): Plan {
  const proof = proofOf(proposed);
  const tasks = proposed.tasks.map((task, index) => {
    const id = String(context.firstTask + index);
    return {
      id,
      description: task.description,
      subtasks: task.subtasks.map((subtask, at) => toSubtask(subtask, `${id}.${at + 1}`, context)),
    };
  });
  return { tasks, fallback: false, ...(proof ? { proof } : {}) };
}

function toSubtask(proposed: ProposedSubtask, id: string, context: PlanContext): Subtask {
  const step = toStep(proposed, context);
  return { id, step, purpose: proposed.purpose, checks: checksOf(step), status: 'pending' };
}

function toStep(proposed: ProposedSubtask, { files }: PlanContext): SubtaskStep {
  switch (proposed.action) {
    case 'run_cmd':
      return {
        action: 'run_cmd',
        cmd: proposed.cmd,
        ...(proposed.stdin ? { stdin: proposed.stdin } : {}),
      };
    case 'list_dir':
      return { action: 'list_dir', path: folderOf(normalPath(proposed.file), files) };
    default:
      return { action: proposed.action, file: normalPath(proposed.file) };
  }
}

/** Who wants to list a file means the folder it is in. */
const folderOf = (path: string, files: readonly string[]): string =>
  files.includes(path) ? posix.dirname(path) : path;

const normalPath = (file: string): string => file.replaceAll('\\', '/').replace(/^(\.\/)+/, '');

const checksOf = (step: SubtaskStep): Subtask['checks'] =>
  step.action === 'write_file' || step.action === 'edit_file'
    ? [{ type: 'file_exists', path: step.file }]
    : [];

function proofOf(proposed: ProposedPlan): Proof | undefined {
  const verify = proposed.verify;
  if (!verify || verify.cmd.trim() === '') return undefined;
  return {
    cmd: verify.cmd.trim(),
    ...(verify.stdin ? { stdin: verify.stdin } : {}),
    ...(verify.prints?.trim() ? { prints: verify.prints.trim() } : {}),
  };
}
