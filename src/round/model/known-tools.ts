/** Checks whether the model of a run was told of the tools that it needs now. */
import { driverNamed } from '../../drivers/driver-of.ts';
import type { ToolNames } from '../../schema/actions.ts';
import { type DriverName, driverNameOf } from '../../schema/driver.ts';
import type { RunSettings } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import type { RunPorts } from '../run-ports.ts';
import { systemPromptAnew } from './system-prompt.ts';

/** Earlier builds asked for plans separately, and their models were told of no tool for them. */
export const mentionsPlanTool = (
  { systemPrompt }: RunSettings,
  { sets_plan }: ToolNames,
): boolean => String(systemPrompt).includes(sets_plan);

/**
 * True when the model can continue with its prompt and tools: the driver is the same and, for a free driver,
 * there is a planning tool or already a plan.
 */
export function hasSameTools(
  { context: { state }, names }: Pick<RunPorts, 'context' | 'names'>,
  driver: DriverName,
): boolean {
  const { settings, plan, replan } = state;
  if (settings?.driver !== driver) return false;
  const isPlanning = plan === null || replan !== null;
  return !isPlanning || !driverNamed(driver).callsTools || mentionsPlanTool(settings, names);
}

export type RenewPort = Pick<RunPorts, 'context' | 'names' | 'notes' | 'tools'>;

/** Called before a model that began under an earlier build plans again. */
export function renewTools(run: RenewPort): void {
  const settings = settingsOf(run.context.state);
  if (hasSameTools(run, driverNameOf(settings))) return;
  run.context.record({
    type: 'settings_changed',
    ...settings,
    ...systemPromptAnew(run, settings),
    why: 'the model plans with a tool from now on',
  });
}
