/** Small questions about a run's state that only this driver asks. */

import type { KnownFile } from '../../schema/run-facts.ts';
import type { ActionSummary, RunState } from '../../schema/state.ts';
import { lastCommand } from '../../steps/select.ts';

export const lastAction = (state: RunState): ActionSummary | undefined =>
  state.active?.actions.at(-1);

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
