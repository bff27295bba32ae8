/** Combines a new plan with what an earlier plan has completed. Pure. */
import type { Plan, Task } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { isWaitingFor } from '../../steps/gate/not-done.ts';
import { isPending } from '../../steps/select.ts';

/** Ended subtasks stay. What was left of the old plan, or waits for a permission, is replaced by the new tasks. */
export function joined(state: RunState, fresh: Plan): Plan {
  const { plan: old } = state;
  if (old === null) return fresh;
  const kept = old.tasks.flatMap((task): Task[] => {
    const subtasks = task.subtasks.filter(
      (subtask) => !isPending(subtask) && !isWaitingFor(state, subtask),
    );
    return subtasks.length > 0 ? [{ ...task, subtasks }] : [];
  });
  const proof = fresh.proof ?? old.proof;
  return {
    tasks: [...kept, ...fresh.tasks],
    ...(fresh.answer_only && !proof ? { answer_only: true } : {}),
    fallback: old.fallback || fresh.fallback,
    ...(proof ? { proof } : {}),
  };
}

/** The plan with the proof that the person gave the run, if there is one. */
export function provedAsGiven(plan: Plan, { givenProof: cmd }: Pick<RunState, 'givenProof'>): Plan {
  if (cmd === undefined) return plan;
  const { answer_only: _, ...rest } = plan;
  return { ...rest, proof: { cmd } };
}

/** Ids are never reused in a run. */
export const nextTask = (plan: Plan | null): number =>
  Math.max(0, ...(plan?.tasks ?? []).map(({ id }) => Number(id))) + 1;
