import type { RunState } from '../schema/state.ts';
import type { Step } from './step.ts';

/**
 * Once there is a plan, the working model takes over in a conversation of its own. A plan that only answers
 * needs no handover.
 */
export function withRole(
  step: Step,
  { settings, plan, replan, pending, agreement }: RunState,
): Step {
  const isDue =
    settings?.modelRole === 'plan' &&
    plan !== null &&
    plan.answer_only !== true &&
    replan === null &&
    pending === null &&
    agreement !== 'due';
  return isDue && step.do !== 'pause' && step.do !== 'finish' ? { do: 'begin_work' } : step;
}
