import { driverNamed } from '../drivers/driver-of.ts';
import type { DriverName } from '../schema/driver.ts';
import { settingsOf } from '../steps/select.ts';
import { learn } from './model/learn.ts';
import { systemPromptAnew } from './model/system-prompt.ts';
import type { RunPorts } from './run-ports.ts';

export type DriverSwitchPort = Pick<RunPorts, 'context' | 'notes' | 'names' | 'lessons' | 'tools'>;

/**
 * Continues the run and its conversation under another driver, announces that, and stays with it. The next run
 * with this model starts with it, unless the model's calls could be read before in this one.
 */
export function switchDriver(run: DriverSwitchPort, to: DriverName, why: string): void {
  const { context } = run;
  const settings = { ...settingsOf(context.state), driver: to };
  if (context.state.counters.readCalls === 0) learn(run, driverNamed(to).learnt);
  context.record({
    type: 'settings_changed',
    ...settings,
    mayChangeDriver: false,
    ...systemPromptAnew(run, settings),
    why,
  });
}
