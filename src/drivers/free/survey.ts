/**
 * The model looks before it plans: in the conversation in which it then works, with the same tools. Only read-only
 * calls are allowed. The survey ends with a plan; if none comes, the goal itself is the plan.
 */
import { charsPerToken, sum } from '../../context-manager/prompt-size.ts';
import type { RunState } from '../../schema/state.ts';
import type { Survey } from '../../schema/state-parts/run-facts.ts';
import { hasChanged, hasLooked } from '../../steps/gate/answered.ts';
import { inRound } from '../../steps/rounds.ts';
import { settingsOf } from '../../steps/select.ts';
import { type Limits, PATIENCE, type Step } from '../../steps/step.ts';
import { fallBackStep } from './leave.ts';

/** Replies, and the share of the window that they may take, before a plan is demanded. */
const MAX_TURNS = 8;
const MAX_SHARE = 0.15;
/** Malformed plan calls before the form is enforced. */
const MAX_UNREAD = 2;
/** Replies after that. */
const LAST_LOOKS = 2;

export function surveyStep(state: RunState, limits: Limits): Step {
  const leave = fallBackStep(state);
  if (leave) return leave;
  // An earlier build asked for the plan outside the conversation.
  if (state.mainConversation !== null) return { do: 'close_branch', why: 'planned' };
  const { survey } = state.free;
  const { demandedAt, turns } = survey;
  if (survey.invalidReplies >= PATIENCE.invalidReplies)
    return goalAsPlan("the model's answers could not be read");
  if (demandedAt !== null && turns >= demandedAt + LAST_LOOKS)
    return goalAsPlan(`no plan came in ${turns} turns`);
  return inRound(state, limits, () => ({
    do: 'ask',
    question: { kind: 'action', open: [], ...(isUnread(survey) ? { asData: 'sets_plan' } : {}) },
    cause: causeIn(state),
    tries: 0,
  }));
}

function causeIn(state: RunState): Extract<Step, { do: 'ask' }>['cause'] {
  const {
    free: { survey },
    replan,
  } = state;
  if (!survey.isBegun) return replan ? 'replan_question' : 'survey';
  const isDue = isUnread(survey) || isLongEnough(state);
  return survey.demandedAt === null && isDue ? 'plan_demanded' : null;
}

/** If a model does not keep to the form in a call, the server can enforce it for an answer. */
const isUnread = ({ unreadPlans, invalidReplies }: Survey): boolean =>
  unreadPlans >= MAX_UNREAD || invalidReplies >= MAX_UNREAD;

/** What the model was shown before it began to look does not count. */
function isLongEnough({ free: { survey }, conversation, settings }: RunState): boolean {
  if (survey.turns === 0) return false;
  const begun = conversation.findLastIndex(
    ({ cause }) => cause === 'survey' || cause === 'replan_question' || cause === 'summary',
  );
  const looked = sum(conversation.slice(begun + 1).map((message) => message.length));
  const share = looked / charsPerToken(null) / settingsOf({ settings } as RunState).numCtx;
  return survey.turns >= MAX_TURNS || share > MAX_SHARE;
}

const goalAsPlan = (why: string): Step => ({ do: 'plan_goal', why, isAnswer: false });

/** In progress before the first plan, and again before another one. */
export const isSurvey = ({ plan, replan }: RunState): boolean => plan === null || replan !== null;

/**
 * A text that ends the survey is the answer, in whatever language and whatever it says: nothing was changed. A model
 * that has not looked at all may only be announcing its work, so it is reminded once, and so is one that began to
 * change a file.
 */
export function surveyTextStep(state: RunState): Step {
  const {
    free: { survey, meansWork },
    replan,
    conversation,
  } = state;
  const isSaid = (conversation.at(-1)?.length ?? 0) > 0;
  const isMeant = hasLooked(state) || state.wants === 'answer' || survey.texts > 1;
  // A proof is given for work, and a change that waits for a plan is work.
  const isWork = state.givenProof !== undefined || (meansWork === true && state.wants !== 'answer');
  const isEnd = isMeant && replan === null && !isWork;
  if (isSaid && isEnd && !hasChanged(state))
    return { do: 'plan_goal', why: 'answered without a plan', isAnswer: true };
  return survey.texts <= PATIENCE.nudges
    ? { do: 'nudge' }
    : goalAsPlan(`the model answered ${survey.texts} times without a tool call`);
}
