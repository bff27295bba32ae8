/** Changes the driver of a model whose tool calls are unusable to one that needs no calls. */
import type { RunState } from '../../schema/state.ts';
import { PATIENCE, type Step } from '../../steps/step.ts';

const WHY = 'two tool calls of the model could not be used as sent';

/**
 * The mode was chosen for the model, not by the user, so another one may replace it. The plan does not suit the other
 * driver: open work is planned again there.
 */
export function fallBackStep({ settings, counters, plan, replan }: RunState): Step | null {
  if (!settings?.mayChangeDriver || counters.nativeFailures < PATIENCE.nativeFailures) return null;
  return plan !== null && replan === null
    ? { do: 'replan', why: WHY }
    : { do: 'switch_driver', to: 'guided', why: WHY };
}
