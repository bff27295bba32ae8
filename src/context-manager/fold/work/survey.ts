// How far a free driver's model has looked around before a plan. Pure.

import { isChange } from '../../../schema/capability.ts';
import { traitsOf } from '../../../schema/driver.ts';
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { Survey } from '../../../schema/state-parts/run-facts.ts';
import type { Finished } from './finished.ts';

type Free = Pick<RunState, 'free'>;

export const surveying = ({ free }: Free, survey: Survey): Free => ({
  free: free.survey === survey ? free : { ...free, survey },
});

/** A question in a branch does not count. */
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

/** @param isUnreadable the answer could not be read, or was cut off */
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

/** The survey after a call, and whether a change of a file had to wait for a plan. */
export function freeAfterCall(
  { free, plan }: Pick<RunState, 'free' | 'plan'>,
  record: Finished,
): Free {
  const after = surveying({ free }, surveyAfterCall(free.survey, record));
  const isEarly =
    plan === null &&
    isChange(record) &&
    record.status === 'denied' &&
    record.facts.refused !== true;
  return isEarly ? { free: { ...after.free, meansWork: true } } : after;
}

/** Counts a call whose proposed plan does not even have the form of a plan. */
const surveyAfterCall = (survey: Survey, { does, status, facts }: Finished): Survey =>
  does === 'sets_plan' && status === 'error' && facts.fault === 'arguments'
    ? { ...survey, unreadPlans: survey.unreadPlans + 1 }
    : survey;
