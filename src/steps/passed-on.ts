import type { MessageCause } from '../schema/model/message-cause.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from './step.ts';

/** Questions, and replies to refused answers. Nothing may come between them and their answer. */
const AWAITS_ANSWER: ReadonlySet<MessageCause | null> = new Set<MessageCause>([
  'plan_question',
  'plan_refused',
  'try_question',
  'replan_question',
  'action_question',
  'content_question',
  'input_question',
  'repair_question',
  'completion_question',
  'refusal',
]);

/**
 * Passes a person's message to the model, as data, before the next question; plan and proof stay as they are. A
 * message inside a branch would be lost with it, so it waits until the branch is closed.
 */
export const afterPerson = (step: Step, state: RunState): Step =>
  isToBeSaid(state) && mayReport(step, state) ? { do: 'pass_on' } : step;

const isToBeSaid = ({ person, agreement }: RunState): boolean =>
  agreement === 'unreported' || person?.waiting.some(({ isDue }) => isDue) === true;

/** Does the same for background programs that the engine ended. */
export const afterBackground = (step: Step, state: RunState): Step =>
  state.background?.unreported.length && mayReport(step, state) ? { do: 'tell_ended' } : step;

/** Puts a report first if somebody else changed files while the run was down. */
export const afterChanges = (step: Step, state: RunState): Step =>
  state.changedMeanwhile?.length && mayReport(step, state) ? { do: 'tell_changed' } : step;

function mayReport(step: Step, { mainConversation, conversation }: RunState): boolean {
  if (step.do !== 'ask' || mainConversation !== null) return false;
  return step.cause !== null || !AWAITS_ANSWER.has(conversation.at(-1)?.cause ?? null);
}
