import { driverNamed } from '../drivers/driver-of.ts';
import type { DriverName } from '../schema/driver.ts';
import { settingsOf } from '../steps/select.ts';
import type { Run } from './run.ts';

export type SwitchPort = Pick<Run, 'context' | 'notes' | 'names'>;

/** The run goes on under another driver with its conversation, says so, and stays there. */
export function switchDriver(
  { context, notes, names }: SwitchPort,
  to: DriverName,
  why: string,
): void {
  const { systemPrompt } = driverNamed(to);
  context.record({
    type: 'settings_changed',
    ...settingsOf(context.state),
    driver: to,
    mayChangeDriver: false,
    systemPrompt: systemPrompt(notes, names),
    why,
  });
}
