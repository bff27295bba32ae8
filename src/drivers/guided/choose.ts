/** What the model may choose from, and how it is asked. */

import { isReadOrListing } from '../../schema/capability.ts';
import type { MessageCause } from '../../schema/model/message-cause.ts';
import type { OpenAction } from '../../schema/model/question.ts';
import type { Subtask } from '../../schema/plan.ts';
import type { RunState } from '../../schema/state.ts';
import type { ActionSummary } from '../../schema/state-parts/run-facts.ts';
import { isToAnswer } from '../../steps/gate/answered.ts';
import { missingEvidence } from '../../steps/gate/gate.ts';
import { inRound } from '../../steps/rounds.ts';
import { activeSubtask, lastCommand } from '../../steps/select.ts';
import type { Limits, Step } from '../../steps/step.ts';
import { answerAction, COMMAND, COMPLETE, LIST, READ, WRITE } from './calls.ts';
import { openQuestion, promptsOf } from './select.ts';

/**
 * Closed actions are left out. The result of a look in a subtask without a step is already in view, so the next action
 * makes something, or is the answer. If the run should only answer, nothing is written and one look may follow another.
 */
export function openActions(state: RunState): readonly OpenAction[] {
  const subtask = activeSubtask(state);
  const isComplete = subtask !== undefined && missingEvidence(state, subtask) === null;
  const failure = { ...COMPLETE, fixed: { success: false } };
  if (subtask !== undefined && isAnswered(state, subtask)) {
    const looks = looksWithEffect(state);
    return isComplete ? [answerAction(state), ...looks] : [...looks, failure];
  }
  const hasLooked = subtask?.step === undefined && state.active?.actions.some(isGoodLook);
  if (hasLooked && isComplete) return [WRITE, COMMAND, answerAction(state)];
  return [WRITE, COMMAND, READ, LIST, isComplete ? COMPLETE : failure];
}

/** A repeated look shows nothing new, and a small model would continue repeating it. */
const looksWithEffect = ({ active }: RunState): readonly OpenAction[] =>
  [READ, LIST, COMMAND].filter(
    ({ does }) => !active?.actions.some((one) => one.does === does && one.status === 'blocked'),
  );

/** True for a subtask without a step whose only result can be a text. */
export const isAnswered = (state: RunState, { step }: Subtask): boolean =>
  step === undefined && isToAnswer(state);

const isGoodLook = (action: ActionSummary): boolean =>
  isReadOrListing(action) && action.status === 'ok';

/** Asks each question only once within a round. */
export function choose(
  state: RunState,
  limits: Limits,
  cause: MessageCause,
  open: readonly OpenAction[],
): Step {
  return inRound(state, limits, () => {
    const last = state.conversation.at(-1);
    const isSaid = last?.cause === cause || last?.cause === 'refusal';
    return {
      do: 'ask',
      question: { kind: 'action', open },
      cause: isSaid ? null : cause,
      tries: state.active?.invalidReplies ?? 0,
    };
  });
}

/** Keys with one digit sort in order. */
const MAX_LINES = 9;

/** The command again, with a user's input: line by line if the prompts are known. */
export function inputAction(state: RunState, cmd: string): OpenAction {
  const lines = linesToType(state, cmd);
  const isKnown = lines.length > 0 && lines.length <= MAX_LINES;
  return {
    ...COMMAND,
    fixed: { cmd },
    ...(isKnown ? { lines: { stdin: lines } } : {}),
  };
}

/**
 * As many lines as the command got before, and one more if these were not enough: for a question that came
 * after them, or to end a program that asks again and again.
 */
function linesToType(state: RunState, cmd: string): readonly string[] {
  const prompts = promptsOf(state, cmd);
  const command = lastCommand(state);
  const typed = command?.cmd === cmd ? (command.stdin?.trimEnd().split('\n').length ?? 0) : 0;
  if (prompts.length === 0 || typed < prompts.length) return prompts;
  const open = openQuestion(state);
  const again = open ?? prompts.at(-1) ?? '';
  const answered = Array.from({ length: typed }, (_, index) => prompts[index] ?? again);
  const isNew = open !== null && !prompts.some((prompt) => isSame(prompt, open));
  return [...answered, isNew ? open : 'to end the program'];
}

/** `…` stands for text that a program fills in. */
const isSame = (prompt: string, open: string): boolean =>
  prompt.trim() === open || (prompt.includes('…') && open.startsWith(prompt.split('…')[0] ?? ''));
