/** Which calls wait for a plan: those that may change something. */
import { givesUp, isCommand, setsPlan } from '../../schema/capability.ts';
import type { RunState } from '../../schema/state.ts';
import type { DriverView, PlannedCallFacts } from '../driver.ts';
import { isSurvey } from './survey.ts';
import { closedNow, waitsForPlan } from './words.ts';

export function closedReason(call: PlannedCallFacts, { state, names }: ClosedView): string | null {
  if (!isSurvey(state) || call.isReadOnly) return null;
  if (setsPlan(call) || givesUp(call)) return null;
  return isCommand(call) ? waitsForPlan(call.tool, names) : closedNow(call.tool, names);
}

type ClosedView = Pick<DriverView, 'names'> & { readonly state: RunState };
