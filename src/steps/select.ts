/** Small questions about a run's state that several steps ask. */
import { type Proof, type Subtask, subtasksOf } from '../schema/plan.ts';
import type { CommandFact, KnownFile } from '../schema/run-facts.ts';
import type { ActionStub, RunState } from '../schema/state.ts';

/** The settings in effect; a run has them before its first step. */
export function settingsOf(state: RunState): NonNullable<RunState['settings']> {
  if (!state.settings) throw new Error('The run has no settings yet.');
  return state.settings;
}

export const isOpen = (subtask: Subtask): boolean =>
  subtask.status === 'pending' || subtask.status === 'in_progress';

export const activeSubtask = (state: RunState): Subtask | undefined =>
  state.plan
    ? subtasksOf(state.plan).find((subtask) => subtask.id === state.active?.id)
    : undefined;

/** True when no other subtask is left to do. */
export const isLastSubtask = (state: RunState): boolean =>
  state.plan !== null && subtasksOf(state.plan).filter(isOpen).length <= 1;

/** The plan's proof, due with the last subtask. */
export const dueProof = (state: RunState): Proof | undefined =>
  isLastSubtask(state) ? state.plan?.proof : undefined;

export const lastStub = (state: RunState): ActionStub | undefined => state.active?.stubs.at(-1);

/** The last command of the active subtask, run by a tool or as a check. */
export const lastCommand = (state: RunState): CommandFact | undefined => {
  const command = state.commands.at(-1);
  return command && command.subtask === state.active?.id ? command : undefined;
};

export const hasEndedWell = (command: CommandFact): boolean =>
  command.status === 'ok' && (command.exitCode ?? 0) === 0;

/** The file a subtask is about. */
export const ownFile = ({ step }: Subtask): string | undefined =>
  step?.does === 'writes_whole_files' || step?.does === 'edits_files' ? step.target : undefined;

export const ownCommand = ({ step }: Subtask): string | undefined =>
  step?.does === 'runs_commands' ? step.target : undefined;

/** Files this run wrote, the ones a failure can be mended in. */
export const writtenFiles = (state: RunState): readonly (readonly [string, KnownFile])[] =>
  Object.entries(state.files)
    .filter(([, file]) => file.written && file.hash !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** What the files of a command ask their user, else what was asked when its input ended. */
export function promptsOf(state: RunState, cmd: string): readonly string[] {
  const own = Object.entries(state.files).filter(([path]) => cmd.includes(path));
  const asked = own.flatMap(([, file]) => file.prompts).filter(Boolean);
  if (asked.length > 0) return asked;
  const lines = lastCommand(state)?.asksForInput?.trim().split('\n') ?? [];
  return lines.slice(-1).filter(Boolean);
}

/** The seq of the latest message with this cause, or of none. */
export const seqOfQuestion = (state: RunState, cause: string): number | undefined =>
  state.conversation.findLast((ref) => ref.cause === cause)?.seq;
