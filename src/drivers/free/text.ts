/** A text arrived instead of a call: a claim if the work is done, otherwise the model is reminded. */

import { endsSubtask, isChange, isCommand, isReadOrListing } from '../../schema/capability.ts';
import { subtasksOf } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import { mayAnswer } from '../../steps/gate/answered.ts';
import { completionGate } from '../../steps/gate/gate.ts';
import { neverMade } from '../../steps/gate/not-done.ts';
import { replanOrFail } from '../../steps/replan.ts';
import { activeSubtask } from '../../steps/select.ts';
import type { Step } from '../../steps/step.ts';
import { nudgeStep, stalled } from '../../steps/unfinished-turn.ts';
import { isSurvey, surveyTextStep } from './survey.ts';

const CLAIM: Step = { do: 'claim_by_text' };

/**
 * Strong models end their work with a text. If nothing speaks against the subtask, the text is a claim, judged like any
 * other. After looks alone a text may just announce the work, so it is a claim at once only if looking was all there
 * was to do, and otherwise after a reminder has not helped. A text is not an unusable tool call, so it never changes
 * the driver: a model that only talks stalls.
 */
export function textStep(state: RunState): Step {
  if (isSurvey(state)) return surveyTextStep(state);
  // The text was the answer before there was a plan.
  if (!state.active) return startNext(state);
  if (isAnswerToDoubt(state)) return CLAIM;
  if (isToldOfFailure(state)) return nudgeStep(state, (why) => afterTalk(state, why));
  const isClosing = hasEvidence(state) && hasWords(state);
  if (isClosing && (hasWorked(state) || isToLook(state))) return CLAIM;
  return nudgeStep(state, isClosing || isAcceptedUnproved(state) ? () => CLAIM : stalled);
}

/** When told what speaks against its claim, a model may explain why it stays. */
const isAnswerToDoubt = ({ conversation, active }: RunState): boolean =>
  conversation.at(-2)?.cause === 'doubt' && active?.actions.length === 0;

/** True if nothing was done since a check or the proof failed: run again, it would fail again. */
const isToldOfFailure = ({ conversation }: RunState): boolean => {
  const told = conversation.findLast(({ cause }) => cause !== null && cause !== 'nudge');
  return told?.cause === 'check_failed' || told?.cause === 'proof_failed';
};

/** A model that has worked may find another way. */
function afterTalk(state: RunState, why: string): Step {
  const { actions = [], claim } = state.active ?? {};
  const failed = claim?.checks.find(({ passed }) => !passed);
  return actions.some((action) => !endsSubtask(action)) && failed
    ? replanOrFail(state, failed.text)
    : stalled(why);
}

/** True for a repeated claim that nothing shows and nothing contradicts: it is accepted as stated. */
function isAcceptedUnproved(state: RunState): boolean {
  const isInWords = activeSubtask(state)?.step === undefined;
  return isInWords && hasWords(state) && completionGate(state, { hasReason: true }).allows;
}

function startNext({ plan }: RunState): Step {
  const next = plan && subtasksOf(plan).find(({ status }) => status === 'pending');
  if (!next) throw new Error('No subtask is left for the text that was said.');
  return { do: 'start_subtask', id: next.id };
}

function hasEvidence(state: RunState): boolean {
  const gate = completionGate(state, { hasReason: true, hasAnswer: mayAnswer(state) });
  return gate.allows && (gate.evidence || mayAnswer(state) || isRefused(state));
}

/** The refusal is on record: the remaining work shows as much as it can. */
const isRefused = (state: RunState): boolean =>
  state.active !== null && neverMade(state, state.active.id).length > 0;

const hasWords = ({ conversation }: RunState): boolean => (conversation.at(-1)?.length ?? 0) > 0;

const hasWorked = ({ active }: RunState): boolean =>
  active?.actions.some(
    (action) => (isChange(action) || isCommand(action)) && action.status === 'ok',
  ) ?? false;

function isToLook(state: RunState): boolean {
  return mayAnswer(state) || isReadOrListing(activeSubtask(state)?.step ?? {});
}
