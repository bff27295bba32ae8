/** Rounds in which the model decides: always in native mode, in json mode when the plan is at its end. */

import type { OpenAction } from '../schema/question.ts';
import type { MessageCause, RoundOrigin } from '../schema/records.ts';
import type { RunState } from '../schema/state.ts';
import { missingEvidence } from './gate.ts';
import { replanOrFail } from './replan.ts';
import { activeSubtask, lastCommand, promptsOf } from './select.ts';
import { type Limits, PATIENCE, type Step } from './step.ts';

export function decisionStep(state: RunState, limits: Limits): Step {
  const { active } = state;
  const other = otherMode(state);
  if (other) return other;
  if (active && active.saidFailure > 0)
    return replanOrFail(state, lastReason(state) || 'the model said it cannot do this subtask');
  if (active && active.blocks >= PATIENCE.blocks)
    return replanOrFail(state, 'the same calls came again and again without effect');
  return inRound(state, limits, 'decision', () => ({
    do: 'ask',
    question: { kind: 'action', open: ALL_ACTIONS },
    cause: null,
    tries: 0,
  }));
}

/** The mode was chosen for the model, not by the user, and there is another one. */
export const mayLeaveNative = ({ settings }: RunState): boolean =>
  settings?.isModeFree === true && settings.mode === 'native';

/** A model whose tool calls do not get through is asked in the way that needs none. */
export const otherMode = (state: RunState): Step | null =>
  mayLeaveNative(state) && state.counters.nativeFailures >= PATIENCE.nativeFailures
    ? { do: 'switch_to_json', why: 'two tool calls of the model could not be used as sent' }
    : null;

/** Opens a round when none is under way, else takes the step within it. */
export function inRound(
  state: RunState,
  limits: Limits,
  origin: RoundOrigin,
  step: () => Step,
): Step {
  const { round } = state;
  const isUnderWay =
    round !== null &&
    round.subtask === state.active?.id &&
    round.origin === origin &&
    !round.isOver &&
    round.turns < PATIENCE.turnsInARound;
  return isUnderWay ? step() : openRound(state, limits, origin);
}

export function openRound(
  state: RunState,
  limits: Limits,
  origin: RoundOrigin,
  calls: Extract<Step, { do: 'open_round' }>['calls'] = [],
): Step {
  if (state.counters.roundsSinceResume >= limits.maxRounds)
    return {
      do: 'pause',
      why: 'limit_rounds',
      detail: `${limits.maxRounds} rounds were worked since the start`,
    };
  return { do: 'open_round', origin, calls };
}

export const ALL_ACTIONS: readonly OpenAction[] = [
  { tool: 'write_file' },
  { tool: 'run_cmd' },
  { tool: 'read_file' },
  { tool: 'list_dir' },
  { tool: 'edit_file' },
  { tool: 'mark_subtask_complete' },
];

/** In json mode closed actions are left out, and code never travels inside JSON. */
export function openActions(state: RunState): readonly OpenAction[] {
  const subtask = activeSubtask(state);
  const isComplete = subtask !== undefined && missingEvidence(state, subtask) === null;
  return [
    { tool: 'write_file', without: ['content', 'create_dirs'] },
    { tool: 'run_cmd', without: ['timeout_sec'] },
    { tool: 'read_file', without: ['max_bytes', 'start_line', 'end_line'] },
    { tool: 'list_dir' },
    isComplete
      ? { tool: 'mark_subtask_complete', without: ['answer'] }
      : { tool: 'mark_subtask_complete', without: ['answer'], fixed: { success: false } },
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
    tool: 'run_cmd',
    fixed: { cmd },
    without: ['timeout_sec'],
    ...(isKnown ? { lines: { stdin: lines } } : {}),
  };
}

/** What the model itself said against the subtask. */
const lastReason = (state: RunState): string =>
  state.active?.stubs.findLast((stub) => stub.tool === 'mark_subtask_complete')?.head ?? '';
