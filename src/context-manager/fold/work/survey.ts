// How far a model that leads has looked before a plan; pure.

import { traitsOf } from '../../../schema/driver.ts';
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { Survey } from '../../../schema/state-parts/run-facts.ts';
import type { Finished } from './finished.ts';

type Free = Pick<RunState, 'free'>;

export const surveying = ({ free }: Free, survey: Survey): Free => ({
  free: free.survey === survey ? free : { ...free, survey },
});

/** A question beside the main conversation is none of it. */
export function surveyAfterMessage(
  { free: { survey }, mainConversation, settings }: RunState,
  { cause }: RecordOf<'message_added'>,
): Survey {
  if (mainConversation !== null || !traitsOf(settings).callsTools) return survey;
  switch (cause) {
    case 'survey':
    case 'replan_question':
      return { ...survey, isBegun: true };
    case 'plan_demanded':
      return { ...survey, demandedAt: survey.turns };
    default:
      return survey;
  }
}

/** @param isUnreadable it could not be read, or was cut off */
export function surveyAfterTurn(
  { free: { survey }, active }: RunState,
  { purpose, decoded }: RecordOf<'turn_finished'>,
  isUnreadable: boolean,
): Survey {
  if (active !== null || purpose !== 'action') return survey;
  return {
    ...survey,
    turns: survey.turns + 1,
    texts: survey.texts + (!isUnreadable && decoded.kind === 'text' ? 1 : 0),
    invalidReplies: isUnreadable ? survey.invalidReplies + 1 : 0,
  };
}

/** A call that proposed a plan which does not even have the form of one. */
export const surveyAfterCall = (survey: Survey, { does, status, facts }: Finished): Survey =>
  does === 'sets_plan' && status === 'error' && facts.fault === 'arguments'
    ? { ...survey, unreadPlans: survey.unreadPlans + 1 }
    : survey;
