/** Small queries on a run's state that several steps share. */

import { own } from '../lib/own.ts';
import { isCommand, isWrite } from '../schema/capability.ts';
import { traitsOf } from '../schema/driver.ts';
import { type Proof, type Subtask, subtasksOf } from '../schema/plan.ts';
import type { RunSettings, RunState } from '../schema/state.ts';
import type { CommandFact } from '../schema/state-parts/run-facts.ts';

/** The settings in effect. They exist before the first step. */
export function settingsOf(state: RunState): RunSettings {
  if (!state.settings) throw new Error('The run has no settings yet.');
  return state.settings;
}

export const isPending = (subtask: Subtask): boolean =>
  subtask.status === 'pending' || subtask.status === 'in_progress';

export const activeSubtask = (state: RunState): Subtask | undefined =>
  state.plan
    ? subtasksOf(state.plan).find((subtask) => subtask.id === state.active?.id)
    : undefined;

/** True when at most one subtask is still open. */
export const isLastSubtask = (state: Pick<RunState, 'plan'>): boolean =>
  state.plan !== null && subtasksOf(state.plan).filter(isPending).length <= 1;

/** The plan's proof; due only with the last subtask. */
export const dueProof = (state: RunState): Proof | undefined =>
  isLastSubtask(state) ? state.plan?.proof : undefined;

/** The last command of the active subtask, run by a tool or as a check. */
export const lastCommand = (state: RunState): CommandFact | undefined => {
  const command = state.commands.at(-1);
  return command && command.subtask === state.active?.id ? command : undefined;
};

export const hasEndedWell = (command: CommandFact): boolean =>
  command.status === 'ok' && (command.exitCode ?? 0) === 0;

/** Words for how a failed command ended. */
export function howEnded({ status, exitCode, wasStarted }: CommandFact): string {
  if (wasStarted === false) return 'could not be started';
  if (status === 'timeout') return 'ran out of time';
  if (exitCode === null) return 'did not come to its end';
  const shown = exitCode === 0 ? ', but did not show what it was run for' : '';
  return `ended with exit code ${exitCode}${shown}`;
}

/** If only an answer is wanted, a planned command is evidence once it ran to its end, whatever its exit code. */
export function isFinding(state: RunState, command: CommandFact | undefined): boolean {
  const subtask = activeSubtask(state);
  if (state.plan?.answer_only !== true || subtask === undefined || command === undefined)
    return false;
  return command.exitCode !== null && subtaskCommand(subtask) === command.cmd;
}

/** The first problem of a written file that keeps its subtask open; `null`: none. */
export function problemOf({ files, settings }: RunState, path: string): string | null {
  if (!traitsOf(settings).looksGate) return null;
  return own(files, path)?.problems[0] ?? null;
}

/** The file that the subtask writes. */
export const subtaskFile = ({ step }: Subtask): string | undefined =>
  step && isWrite(step) ? step.target : undefined;

export const subtaskCommand = ({ step }: Subtask): string | undefined =>
  step && isCommand(step) ? step.target : undefined;
