// Claims that name their subtasks. Pure.
import { subtasksOf } from '../../../schema/plan.ts';
import type { ActiveSubtask, RunState, SubtaskClaim } from '../../../schema/state.ts';
import { withStatus } from '../../../schema/state-parts/plan-status.ts';
import { freshSubtask } from '../initial.ts';

const isOpenIn = ({ plan }: RunState, id: string): boolean =>
  plan !== null &&
  subtasksOf(plan).some(
    (one) => one.id === id && (one.status === 'pending' || one.status === 'in_progress'),
  );

/** A claim about a subtask other than the active one moves the work to it. */
export function claimedElsewhere(state: RunState): Pick<RunState, 'active' | 'plan'> {
  const { active, plan } = state;
  const claim = active?.claim;
  if (!active || !claim?.others || claim.isFurther) return { active, plan };
  const [first, ...others] = claim.others.filter((id) => isOpenIn(state, id));
  if (first === undefined || first === active.id)
    return { active: { ...active, claim: withOthers(claim, others) }, plan };
  return {
    active: { ...freshSubtask(first, state.seq), claim: withOthers(claim, others) },
    plan: withStatus(withStatus(plan, active.id, 'pending'), first, 'in_progress'),
  };
}

/** The same claim applied to the next subtask that it names; `null`: none. */
export function claimedNext(
  state: RunState,
  active: ActiveSubtask,
  seq: number,
): ActiveSubtask | null {
  const { claim } = active;
  const [next, ...others] = (claim?.others ?? []).filter(
    (id) => id !== active.id && isOpenIn(state, id),
  );
  if (!claim || next === undefined) return null;
  const further = { ...withOthers(claim, others), evidence: false, isFurther: true, checks: [] };
  return { ...freshSubtask(next, seq), claim: further as SubtaskClaim };
}

function withOthers(
  { others: _before, ...claim }: SubtaskClaim,
  others: readonly string[],
): SubtaskClaim {
  return others.length > 0 ? { ...claim, others } : claim;
}
