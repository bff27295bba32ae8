import type { RunState } from '../schema/state.ts';
import { briefAnswered, briefStep, readStep } from './brief.ts';
import type { DrivingSteps } from './driver.ts';
import { type Limits, PATIENCE, type Step } from './step.ts';

/**
 * Gets a plan for the goal, or for what is left of it: one question, and one repetition that quotes the exact
 * error.
 */
export function planningStep(state: RunState, limits: Limits, driver: DrivingSteps): Step | null {
  if (state.plan && !state.replan) return closePlanningBranch(state);
  // Calls made while looking around before a plan are ordinary calls.
  if (state.pending || state.cutOff !== undefined) return null;
  return (
    briefAnswered(state) ??
    triedStep(state) ??
    (state.lastTurn ? { do: 'adopt_plan' } : driver.planStep(state, limits))
  );
}

/**
 * Turns the outcome of a plain try into the plan. The brief comes first: files are judged by it, and a sentence
 * counts as an answer only if the goal asks for no work.
 */
function triedStep(state: RunState): Step | null {
  const { guided, plan, mainConversation } = state;
  const { plainTry } = guided;
  if (plainTry?.is !== 'answered' || plan !== null) return null;
  if (mainConversation !== null) return { do: 'close_branch', why: 'tried' };
  const read = plainTry.isText
    ? readStep(state)
    : plainTry.calls.length > 0
      ? briefStep(state)
      : null;
  return read ?? { do: 'adopt_try' };
}

/** Asks for a plan without repeating a question that already ends the conversation. */
export function askForPlan(state: RunState): Step {
  const last = state.conversation.at(-1)?.cause;
  const isSaid = last === 'plan_question' || last === 'plan_refused' || last === 'replan_question';
  return {
    do: 'ask',
    question: { kind: 'plan' },
    cause: isSaid ? null : isReplan(state) ? 'replan_question' : 'plan_question',
    tries: Math.min(state.counters.planTries, PATIENCE.planTries),
  };
}

const closePlanningBranch = (state: RunState): Step | null =>
  state.mainConversation && !state.active ? { do: 'close_branch', why: 'planned' } : null;

/** True when a real plan existed before, not just a plain try. */
export const isReplan = ({ replan }: Pick<RunState, 'replan'>): boolean => (replan?.n ?? 0) > 0;

/** True when a person wants to approve the plan and has not yet. A plan that only answers needs no approval. */
export const isPlanDue = ({
  agreement,
  plan,
  replan,
}: Pick<RunState, 'agreement' | 'plan' | 'replan'>): boolean =>
  agreement === 'due' && plan !== null && replan === null && !plan.answer_only;

/** Until the plan is approved, only a pause or the end may happen. */
export function withAgreement(step: Step, state: RunState): Step {
  return isPlanDue(state) && step.do !== 'pause' && step.do !== 'finish'
    ? { do: 'agree_plan' }
    : step;
}
