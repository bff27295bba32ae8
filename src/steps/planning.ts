import type { RunState } from '../schema/state.ts';
import { briefAnswered, briefStep, readStep } from './brief.ts';
import type { DrivingSteps } from './driver.ts';
import { type Limits, PATIENCE, type Step } from './step.ts';

/** Goal to plan, or what is left of it to a new one: one question, one re-ask with the exact error. */
export function planningStep(state: RunState, limits: Limits, driver: DrivingSteps): Step | null {
  if (state.plan && !state.replan) return closePlanningBranch(state);
  // Looks before a plan are calls like any other.
  if (state.pending || state.cutOff !== undefined) return null;
  return (
    briefAnswered(state) ??
    triedStep(state) ??
    (state.lastTurn ? { do: 'adopt_plan' } : driver.planStep(state, limits))
  );
}

/**
 * What came of a plain try becomes the plan. How the goal is read is asked before: files are judged by it, and
 * a sentence is an answer only where no work is asked for.
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

/** The plan question, said once. */
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

/** There was a plan before, and not only a plain try. */
export const isReplan = ({ replan }: Pick<RunState, 'replan'>): boolean => (replan?.n ?? 0) > 0;

/** The plan waits for a person who wanted to agree to it; an answer needs none. */
export const isPlanDue = ({
  agreement,
  plan,
  replan,
}: Pick<RunState, 'agreement' | 'plan' | 'replan'>): boolean =>
  agreement === 'due' && plan !== null && replan === null && !plan.answer_only;

/** Nothing else is done before. */
export function withAgreement(step: Step, state: RunState): Step {
  return isPlanDue(state) && step.do !== 'pause' && step.do !== 'finish'
    ? { do: 'agree_plan' }
    : step;
}
