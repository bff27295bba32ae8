import * as z from 'zod';
import { Capability } from './actions.ts';
import { isRead, isWrite } from './capability.ts';

/** A machine-verifiable "done when". `prints` is compared without regard to case and white space. */
export const Check = z.discriminatedUnion('type', [
  z.object({ type: z.literal('file_exists'), path: z.string() }),
  z.object({ type: z.literal('file_contains'), path: z.string(), text: z.string() }),
  z.object({
    type: z.literal('command_succeeds'),
    cmd: z.string(),
    stdin: z.string().optional(),
    prints: z.string().optional(),
  }),
  z.object({
    type: z.literal('goal_example'),
    /** On one line. */
    says: z.string(),
    /** For a call: its value is compared where it runs. */
    isValue: z.literal(true).optional(),
    cmd: z.string(),
    stdin: z.string().optional(),
    prints: z.string(),
  }),
]);
export type Check = z.infer<typeof Check>;

/** The command that shows the goal is reached. */
export const Proof = z.object({
  cmd: z.string(),
  stdin: z.string().optional(),
  prints: z.string().optional(),
});
export type Proof = z.infer<typeof Proof>;

/** The single concrete use of a tool that a subtask consists of. */
export const SubtaskStep = z.object({
  /** The tool's name. */
  action: z.string(),
  does: Capability.optional(),
  /** The file, folder or command of the step. */
  target: z.string(),
  /** The complete arguments; left out if the content is asked for separately. */
  args: z.record(z.string(), z.unknown()).optional(),
});
export type SubtaskStep = z.infer<typeof SubtaskStep>;

export const SubtaskStatus = z.enum([
  'pending',
  'in_progress',
  'completed',
  'unverified',
  'failed',
]);
export type SubtaskStatus = z.infer<typeof SubtaskStatus>;

/** One step of a plan, with the checks that show it is done. */
export const Subtask = z.object({
  /** `<task>.<subtask>`, both from 1; ids are never reused in a run. */
  id: z.string(),
  /** Left out if the subtask only says in words what to do. */
  step: SubtaskStep.optional(),
  purpose: z.string(),
  /** Further files that the subtask concerns, besides the file of its step. */
  files: z.array(z.string()).optional(),
  /**
   * The subtask needs nothing that another one makes and changes no file of another, so it may be a run of
   * its own.
   */
  independent: z.literal(true).optional(),
  /** What can be observed when the subtask is done, in words. */
  done_when: z.string().optional(),
  checks: z.array(Check),
  status: SubtaskStatus,
  /** Set when it ended. */
  summary: z.string().optional(),
});
export type Subtask = z.infer<typeof Subtask>;

/** A part of the goal, with its subtasks. */
export const Task = z.object({
  id: z.string(),
  description: z.string(),
  subtasks: z.array(Subtask),
});
export type Task = z.infer<typeof Task>;

/** Tasks with their subtasks, and the command that shows the goal is reached. */
export const Plan = z.object({
  tasks: z.array(Task),
  proof: Proof.optional(),
  /** True if the goal only asks for information. */
  answer_only: z.boolean().optional(),
  /** True when the model gave no usable plan and the goal itself is the only subtask. */
  fallback: z.boolean(),
});
export type Plan = z.infer<typeof Plan>;

/** Names the template as the author of a plan that a run began with. */
export const BY_TEMPLATE = 'template';

/** Every subtask of a plan, in its order. */
export function subtasksOf<Part>({ tasks }: PlanLike<Part>): readonly Part[] {
  // Called several times in each step: loops take a quarter of the time of `flatMap`.
  const all: Part[] = [];
  for (const { subtasks } of tasks) for (const subtask of subtasks) all.push(subtask);
  return all;
}

/** A plan, or a proposal for one. */
interface PlanLike<Part> {
  readonly tasks: readonly { readonly subtasks: readonly Part[] }[];
}

const isAboutFile = (step: SubtaskStep): boolean => isWrite(step) || isRead(step);

/** Every file that the plan's steps and checks name, in the plan's order. */
export function plannedFiles(plan: Plan | null): readonly string[] {
  const paths = new Set<string>();
  const add = (path: string): void => {
    paths.add(path.replaceAll('\\', '/').replace(/^\.\//, ''));
  };
  for (const { step, files = [], checks } of plan ? subtasksOf(plan) : []) {
    if (step && isAboutFile(step)) add(step.target);
    for (const file of files) add(file);
    for (const check of checks) if ('path' in check) add(check.path);
  }
  return [...paths];
}

/** A task has no status of its own: its subtasks determine it. */
export function statusOfTask({ subtasks }: Task): SubtaskStatus {
  const statuses = subtasks.map(({ status }) => status);
  if (statuses.includes('failed')) return 'failed';
  if (statuses.every((status) => status === 'pending')) return 'pending';
  if (statuses.some((status) => status === 'pending' || status === 'in_progress'))
    return 'in_progress';
  return statuses.includes('unverified') ? 'unverified' : 'completed';
}
