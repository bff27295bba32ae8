/** Small questions about a run's state that only this driver asks. */

import type { RunState } from '../../schema/state.ts';
import type { ActionSummary, KnownFile } from '../../schema/state-parts/run-facts.ts';
import { lastCommand } from '../../steps/select.ts';

export const lastAction = (state: RunState): ActionSummary | undefined =>
  state.active?.actions.at(-1);

/** Files that this run wrote, in which a failure can be repaired. */
export const writtenFiles = (state: RunState): readonly (readonly [string, KnownFile])[] =>
  Object.entries(state.files)
    .filter(([, file]) => file.written && file.hash !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** What the files of a command ask their user, else what was asked when the input ended. */
export function promptsOf(state: RunState, cmd: string): readonly string[] {
  const own = Object.entries(state.files).filter(([path]) => cmd.includes(path));
  const asked = own.flatMap(([, file]) => file.prompts);
  if (asked.some(Boolean)) return asked.map((prompt) => prompt || NOT_SAID);
  const open = openQuestion(state);
  return open === null ? [] : [open];
}

/** The question for a line that a program reads without asking. */
const NOT_SAID = 'one more line';

/**
 * What the last command asked when its input ended. A complete line of output is no question, unless it looks like one:
 * some programs print what they ask.
 */
export function openQuestion(state: RunState): string | null {
  const said = lastCommand(state)?.asksForInput ?? '';
  const last = said.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return last !== '' && (!said.endsWith('\n') || /[?:>]$/.test(last)) ? last : null;
}

/** The seq of the latest message with this cause, or of none. */
export const seqOfQuestion = (state: RunState, cause: string): number | undefined =>
  state.conversation.findLast((ref) => ref.cause === cause)?.seq;
