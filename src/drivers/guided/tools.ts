/** The tools as the guided driver knows them: what it calls by itself, and what it looks for. */
import type { ToolCall } from '../../schema/messages.ts';
import type { OpenAction } from '../../schema/question.ts';
import type { RunState } from '../../schema/state.ts';

interface Named {
  readonly tool: string;
}

export const isWrite = ({ tool }: Named): boolean => tool === 'write_file';
export const isCommand = ({ tool }: Named): boolean => tool === 'run_cmd';

/** A call that the engine makes stands in the round that it opens. */
const planned = (state: RunState, name: string, args: ToolCall['args']): ToolCall => ({
  id: `planned_${state.counters.rounds + 1}`,
  name,
  args,
});

export const readCall = (state: RunState, path: string): ToolCall =>
  planned(state, 'read_file', { path });

export const listCall = (state: RunState, path: string): ToolCall =>
  planned(state, 'list_dir', { path });

/** @param stdin `null`: the command gets no input. */
export const commandCall = (state: RunState, cmd: string, stdin: string | null): ToolCall =>
  planned(state, 'run_cmd', { cmd, ...(stdin === null ? {} : { stdin }) });

/** Code never travels inside JSON: a write names its file and no more. */
export const WRITE: OpenAction = { tool: 'write_file', without: ['content', 'create_dirs'] };

export const COMMAND: OpenAction = { tool: 'run_cmd', without: ['timeout_sec'] };

export const READ: OpenAction = {
  tool: 'read_file',
  without: ['max_bytes', 'start_line', 'end_line'],
};

export const LIST: OpenAction = { tool: 'list_dir' };

export const ANSWER: OpenAction = { tool: 'mark_subtask_complete' };

/** Without a text as its result. */
export const COMPLETE: OpenAction = { ...ANSWER, without: ['answer'] };
