/** What the model may choose from, and how it is asked. */
import type { OpenAction } from '../../schema/question.ts';
import type { MessageCause, RoundOrigin } from '../../schema/records.ts';
import type { RunState } from '../../schema/state.ts';
import { missingEvidence } from '../../steps/gate.ts';
import { inRound } from '../../steps/rounds.ts';
import { activeSubtask, lastCommand } from '../../steps/select.ts';
import type { Limits, Step } from '../../steps/step.ts';
import { promptsOf } from './select.ts';
import { COMMAND, COMPLETE, LIST, READ, WRITE } from './tools.ts';

/** Closed actions are left out. */
export function openActions(state: RunState): readonly OpenAction[] {
  const subtask = activeSubtask(state);
  const isComplete = subtask !== undefined && missingEvidence(state, subtask) === null;
  return [
    WRITE,
    COMMAND,
    READ,
    LIST,
    isComplete ? COMPLETE : { ...COMPLETE, fixed: { success: false } },
  ];
}

/** One question within a round, said once. */
export function choose(
  state: RunState,
  limits: Limits,
  origin: RoundOrigin,
  cause: MessageCause,
  open: readonly OpenAction[],
): Step {
  return inRound(state, limits, origin, () => {
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

/** A key for each line needs one digit to stand in order. */
const MOST_LINES = 9;

/** The command again, with what a user types: line by line where it is known what is asked. */
export function inputAction(state: RunState, cmd: string): OpenAction {
  const prompts = promptsOf(state, cmd);
  const command = lastCommand(state);
  const typed = command?.cmd === cmd ? command.stdin?.split('\n') : undefined;
  // As many lines as there are questions were not enough: it asks again and again.
  const isEndless = typed !== undefined && typed.length >= prompts.length;
  const lines = isEndless ? [...prompts, 'to end the program'] : prompts;
  const isKnown = prompts.length > 0 && lines.length <= MOST_LINES;
  return {
    ...COMMAND,
    fixed: { cmd },
    ...(isKnown ? { lines: { stdin: lines } } : {}),
  };
}
