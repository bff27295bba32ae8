/** Which calls wait for a plan: whatever may change something. */
import type { RunState } from '../../schema/state.ts';
import type { AskedCall, DriverView } from '../driver.ts';
import { isSurvey } from './survey.ts';
import { closedNow, waitsForPlan } from './words.ts';

export function closedReason(call: AskedCall, { state, names }: ClosedView): string | null {
  if (!isSurvey(state) || call.onlyLooks) return null;
  if (call.does === 'sets_plan' || call.does === 'gives_up') return null;
  return call.does === 'runs_commands'
    ? waitsForPlan(call.tool, names)
    : closedNow(call.tool, names);
}

type ClosedView = Pick<DriverView, 'names'> & { readonly state: RunState };
