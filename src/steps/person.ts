import type { MessageCause } from '../schema/message-cause.ts';
import type { RunState } from '../schema/state.ts';
import type { Step } from './step.ts';

/** Questions and what is said to a refused answer: nothing comes between them and their answer. */
const AWAITS_ANSWER: ReadonlySet<MessageCause | null> = new Set<MessageCause>([
  'plan_question',
  'plan_refused',
  'replan_question',
  'action_question',
  'content_question',
  'input_question',
  'repair_question',
  'completion_question',
  'refusal',
]);

/**
 * What a person said goes before the next question, as data: it moves no plan and no proof. Beside
 * the main conversation it would be lost with the branch, so it waits until that is closed.
 */
export function afterPerson(
  step: Step,
  { person, mainConversation, conversation }: RunState,
): Step {
  if (step.do !== 'ask' || mainConversation !== null) return step;
  if (!person?.waiting.some(({ isDue }) => isDue)) return step;
  const isAsked = step.cause === null && AWAITS_ANSWER.has(conversation.at(-1)?.cause ?? null);
  return isAsked ? step : { do: 'pass_on' };
}
