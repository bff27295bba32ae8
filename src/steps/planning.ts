import type { RunState } from '../schema/state.ts';
import { PATIENCE, type Step } from './step.ts';

/**
 * Goal to plan, or what is left of it to a new one: one question, one re-ask with the exact error.
 * With tools on the wire the question stands in a branch, since it goes without them.
 */
export function planningStep(state: RunState): Step | null {
  if (state.plan && !state.replan) return closePlanningBranch(state);
  if (state.lastTurn) return { do: 'adopt_plan' };
  if (state.settings?.mode === 'native' && !state.beside)
    return { do: 'open_branch', why: 'planning' };
  const last = state.conversation.at(-1)?.cause;
  const isSaid = last === 'plan_question' || last === 'plan_refused' || last === 'replan_question';
  return {
    do: 'ask',
    question: { kind: 'plan' },
    cause: isSaid ? null : state.replan ? 'replan_question' : 'plan_question',
    tries: Math.min(state.counters.planTries, PATIENCE.planTries),
  };
}

const closePlanningBranch = (state: RunState): Step | null =>
  state.beside && !state.active ? { do: 'close_branch', why: 'planned' } : null;
