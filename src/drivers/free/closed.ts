/** Which calls are closed: those that may change something before a plan, and those that change what must stay. */
import { givesUp, isCommand, setsPlan } from '../../schema/capability.ts';
import type { RunState } from '../../schema/state.ts';
import type { DriverView, PlannedCallFacts } from '../driver.ts';
import { isSurvey } from './survey.ts';
import { closedNow, staysAsItIs, waitsForPlan } from './words.ts';

export function closedReason(call: PlannedCallFacts, { state, names }: ClosedView): string | null {
  if (call.mustStay.length > 0) return staysAsItIs(call.mustStay, names);
  if (!isSurvey(state) || call.isReadOnly) return null;
  if (setsPlan(call) || givesUp(call)) return null;
  return isCommand(call) ? waitsForPlan(call.tool, names) : closedNow(call.tool, names);
}

type ClosedView = Pick<DriverView, 'names'> & { readonly state: RunState };
