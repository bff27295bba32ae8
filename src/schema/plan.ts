import { z } from 'zod';

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
]);
export type Check = z.infer<typeof Check>;

/** The command that shows the goal is reached. */
export const Proof = z.object({
  cmd: z.string(),
  stdin: z.string().optional(),
  prints: z.string().optional(),
});
export type Proof = z.infer<typeof Proof>;

/** The one concrete use of a tool a subtask is about; `goal` marks the fallback that names none. */
export const SubtaskStep = z.discriminatedUnion('action', [
  z.object({ action: z.literal('write_file'), file: z.string() }),
  z.object({ action: z.literal('edit_file'), file: z.string() }),
  z.object({ action: z.literal('read_file'), file: z.string() }),
  z.object({ action: z.literal('list_dir'), path: z.string() }),
  z.object({ action: z.literal('run_cmd'), cmd: z.string(), stdin: z.string().optional() }),
  z.object({ action: z.literal('goal') }),
]);
export type SubtaskStep = z.infer<typeof SubtaskStep>;

export const SubtaskStatus = z.enum([
  'pending',
  'in_progress',
  'completed',
  'unverified',
  'failed',
]);
export type SubtaskStatus = z.infer<typeof SubtaskStatus>;

export const Subtask = z.object({
  /** `<task>.<subtask>`, both from 1; ids are never given out twice in a run. */
  id: z.string(),
  step: SubtaskStep,
  purpose: z.string(),
  checks: z.array(Check),
  status: SubtaskStatus,
  /** Set when it ended. */
  summary: z.string().optional(),
});
export type Subtask = z.infer<typeof Subtask>;

export const Task = z.object({
  id: z.string(),
  description: z.string(),
  subtasks: z.array(Subtask),
});
export type Task = z.infer<typeof Task>;

export const Plan = z.object({
  tasks: z.array(Task),
  proof: Proof.optional(),
  /** True when the model gave no usable plan and the goal itself is the only subtask. */
  fallback: z.boolean(),
});
export type Plan = z.infer<typeof Plan>;

/** Every subtask of a plan, in its order. */
export const subtasksOf = <Part>({ tasks }: PlanLike<Part>): readonly Part[] =>
  tasks.flatMap((task) => task.subtasks);

/** A plan, or one that is only proposed. */
interface PlanLike<Part> {
  readonly tasks: readonly { readonly subtasks: readonly Part[] }[];
}

/** Every file that steps and checks of a plan name, in the plan's order. */
export function plannedFiles(plan: Plan | null): readonly string[] {
  const paths = (plan ? subtasksOf(plan) : []).flatMap((subtask) => [
    ...('file' in subtask.step ? [subtask.step.file] : []),
    ...subtask.checks.flatMap((check) => ('path' in check ? [check.path] : [])),
  ]);
  return [...new Set(paths.map((path) => path.replaceAll('\\', '/').replace(/^\.\//, '')))];
}
