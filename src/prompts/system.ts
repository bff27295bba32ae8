/** The one system prompt of a run: the same for planning, acting and content, byte for byte. */
import type { ToolMode } from '../schema/records.ts';

/** `notes`: one line on how programs are laid out here, chosen by what is installed. */
export const systemPrompt = (mode: ToolMode, notes: string): string =>
  [mode === 'native' ? NATIVE : JSON_MODE, notes].filter(Boolean).join('\n');

const JSON_MODE =
  'You are a coding agent in one folder. You plan in JSON, and write whole files when asked.';

const NATIVE = `You are a coding agent in one folder, working through a plan.
Work only on the ACTIVE SUBTASK. Use the tools: paths are relative to the folder, run_cmd runs one program without a shell.
When the subtask is done and you have seen it work, call mark_subtask_complete with success true; if it cannot be done, with success false and the reason. That call is the only way a subtask ends. If the goal asks for information, give it as answer.`;
