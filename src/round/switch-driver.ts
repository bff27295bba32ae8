import { driverNamed } from '../drivers/driver-of.ts';
import type { DriverName } from '../schema/driver.ts';
import { settingsOf } from '../steps/select.ts';
import type { Run } from './run.ts';

export type SwitchPort = Pick<Run, 'context' | 'notes'>;

/** The run goes on under another driver with its conversation, says so, and stays there. */
export function switchDriver({ context, notes }: SwitchPort, to: DriverName, why: string): void {
  const { mode, systemPrompt } = driverNamed(to);
  context.record({
    type: 'settings_changed',
    ...settingsOf(context.state),
    mode,
    isModeFree: false,
    systemPrompt: systemPrompt(notes),
    why,
  });
}
