/** Whether the model really has the window it was asked for, and reads prompts whole. */
import { leastTokens, sum } from '../context-manager/prompt-size.ts';
import type { RunState } from '../schema/state.ts';
import type { Run } from './run.ts';
import { settingsOf } from './settings.ts';

/** A smaller window than asked for is taken as it is, journalled and said. */
export async function verifyWindow(run: Run): Promise<void> {
  const settings = settingsOf(run.context.state);
  const loaded = await run.provider.loadedWindow?.(settings.model, run.signal).catch(() => null);
  if (!loaded || loaded >= settings.numCtx) return;
  const why = `the model was loaded with a window of ${loaded} tokens, not ${settings.numCtx}`;
  run.context.record({ type: 'settings_changed', ...settings, numCtx: loaded, why });
}

/**
 * Tokens the next prompt has at least: it goes on where one that was read whole ended. 0 where
 * nobody knows.
 */
export function leastPromptTokens({ usage, conversation }: RunState): number {
  const role = conversation.at(-1)?.role ?? '';
  return leastTokens(usage.floor[role], sum(conversation.map((ref) => ref.length)));
}
