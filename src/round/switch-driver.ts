import { type DriverName, traitsOf } from '../schema/driver.ts';
import { settingsOf } from '../steps/select.ts';
import { definitionsFor } from '../tools/registry.ts';
import { learn } from './learn.ts';
import type { Run } from './run.ts';
import { systemPromptAgain } from './system-prompt.ts';

export type SwitchPort = Pick<Run, 'context' | 'notes' | 'names' | 'lessons' | 'tools'>;

/** The run goes on under another driver with its conversation, says so, and stays there. The next one begins so. */
export function switchDriver(run: SwitchPort, to: DriverName, why: string): void {
  const { context, tools } = run;
  const settings = { ...settingsOf(context.state), driver: to };
  const { callsTools } = traitsOf({ driver: to });
  learn(run, callsTools ? { leavesSchema: true } : { callsUnusable: true });
  context.record({
    type: 'settings_changed',
    ...settings,
    mayChangeDriver: false,
    ...systemPromptAgain(run, settings),
    tools: JSON.stringify(definitionsFor(tools, { callsTools, window: settings.numCtx })),
    why,
  });
}
