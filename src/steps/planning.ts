import type { RunState } from '../schema/state.ts';
import { seqOfQuestion } from './look.ts';
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
  const cause = state.replan ? 'replan_question' : 'plan_question';
  const isReasked = state.counters.planTries > 0;
  const isSaid = seqOfQuestion(state, isReasked ? 'plan_refused' : cause) !== undefined;
  return {
    do: 'ask',
    question: { kind: 'plan' },
    cause: isReasked ? 'plan_refused' : isSaid && isLastSaid(state, cause) ? null : cause,
    tries: Math.min(state.counters.planTries, PATIENCE.planTries),
  };
}

const isLastSaid = (state: RunState, cause: string): boolean =>
  state.conversation.at(-1)?.cause === cause;

const closePlanningBranch = (state: RunState): Step | null =>
  state.beside && !state.active ? { do: 'close_branch', why: 'planned' } : null;
