/** The plan is asked for in a branch: its question goes without the tools that are on the wire. */
import type { RunState } from '../../schema/state.ts';
import { askForPlan } from '../../steps/planning.ts';
import type { Step } from '../../steps/step.ts';
import type { Ask, DriverView, Words } from '../driver.ts';
import { composePlan, composeReplan } from '../plan-question.ts';
import { leaveStep } from './leave.ts';

export function planStep(state: RunState): Step {
  const leave = leaveStep(state);
  if (leave) return leave;
  return state.mainConversation ? askForPlan(state) : { do: 'open_branch', why: 'planning' };
}

/** The only questions that are put into words: all others are the tools themselves. */
export function question({ cause }: Ask, view: DriverView): Words {
  switch (cause) {
    case 'plan_question':
      return { text: composePlan(view) };
    case 'replan_question':
      return { text: composeReplan(view) };
    default:
      throw new Error(`The free driver has no words for ${cause}.`);
  }
}
