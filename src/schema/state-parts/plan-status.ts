import type { Plan, SubtaskStatus } from '../plan.ts';

/** The plan with another status for one subtask. */
export function withStatus(
  plan: Plan | null,
  id: string,
  status: SubtaskStatus,
  summary?: string,
): Plan | null {
  if (!plan) return plan;
  return {
    ...plan,
    tasks: plan.tasks.map((task) => ({
      ...task,
      subtasks: task.subtasks.map((subtask) =>
        subtask.id === id
          ? { ...subtask, status, ...(summary === undefined ? {} : { summary }) }
          : subtask,
      ),
    })),
  };
}

/** Nothing of the plan counts any more, including its proof. */
export const withAllFailed = (plan: Plan | null, summary: string): Plan | null =>
  plan && {
    tasks: plan.tasks.map((task) => ({
      ...task,
      subtasks: task.subtasks.map((subtask) => ({ ...subtask, status: 'failed', summary })),
    })),
    fallback: false,
  };
