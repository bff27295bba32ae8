import { systemPrompt } from '../prompts/system.ts';
import type { RunState } from '../schema/state.ts';
import type { Run } from './run.ts';

/** The settings in effect; a run has them before its first step. */
export function settingsOf(state: RunState): NonNullable<RunState['settings']> {
  if (!state.settings) throw new Error('The run has no settings yet.');
  return state.settings;
}

/** Moves the run to json mode with its conversation, and says so. */
export function switchToJson(run: Run, why: string): void {
  const { context } = run;
  const settings = settingsOf(context.state);
  const prompt = systemPrompt('json', run.notes);
  context.record({
    type: 'settings_changed',
    ...settings,
    mode: 'json',
    isModeFree: false,
    systemPrompt: prompt,
    why,
  });
}
