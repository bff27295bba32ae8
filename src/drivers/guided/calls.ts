/** The calls that the guided driver makes itself, and those that it lets the model choose from, by what tools do. */
import { askedParts } from '../../decompose/brief/goal-parts.ts';
import type { OpenAction } from '../../schema/model/question.ts';
import type { RunState } from '../../schema/state.ts';
import type { PlannedCall } from '../../steps/step.ts';

/** A call by the engine belongs to the round that it opens. */
export const plannedId = (state: RunState): string => `planned_${state.counters.rounds + 1}`;

export const fileReadCall = (state: RunState, path: string): PlannedCall => ({
  id: plannedId(state),
  does: 'reads_files',
  args: { path },
});

/** Marks the active subtask as done. */
export const completeCall = (state: RunState): PlannedCall => ({
  id: plannedId(state),
  does: 'ends_subtasks',
  args: { success: true, reason: '' },
});

/** @param stdin `null`: the command gets no input. */
export const plannedCommandCall = (
  state: RunState,
  cmd: string,
  stdin: string | null,
): PlannedCall => ({
  id: plannedId(state),
  does: 'runs_commands',
  args: { cmd, ...(stdin === null ? {} : { stdin }) },
});

/** Code never travels inside JSON: a write only names its file. */
export const WRITE: OpenAction = { does: 'writes_whole_files', only: ['path'] };

export const COMMAND: OpenAction = { does: 'runs_commands', only: ['cmd', 'stdin'] };

export const READ: OpenAction = { does: 'reads_files', only: ['path'] };

export const LIST: OpenAction = { does: 'lists_folders', only: ['path'] };

const ANSWER: OpenAction = {
  does: 'ends_subtasks',
  only: ['success', 'reason', 'answer'],
};

/** A goal with several questions has a key for each, so that none is forgotten; an empty one is asked for once more. */
export function answerAction({ goal, active }: RunState): OpenAction {
  const answer = askedParts(goal);
  if (answer.length === 0) return ANSWER;
  return { ...ANSWER, lines: { answer }, needsEachLine: active?.invalidReplies === 0 };
}

/** Ends a subtask whose result is not a text. */
export const COMPLETE: OpenAction = { ...ANSWER, only: ['success', 'reason'] };
