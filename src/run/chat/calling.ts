/** Chooses how a model calls tools in a conversation, by the same rule that chooses the driver of a run. */
import { windowFor } from '../../drivers/choose-driver.ts';
import { traitsOf } from '../../schema/driver.ts';
import { type DriverFactors, driverChosen } from '../start/configure.ts';

/**
 * `wire`: tools and calls use the provider's own protocol. `held`: every answer is one JSON object that a
 * schema enforces, either words or one call. `text`: calls are written as text because no schema can be
 * enforced.
 */
export interface ChosenCalling {
  readonly way: 'wire' | 'held' | 'text';
  /** In tokens. */
  readonly window: number;
}

/** Throws E_USAGE when native tool calls are requested and the model cannot make them. */
export function callingOf(request: DriverFactors): ChosenCalling {
  const { driver } = driverChosen(request);
  const window = windowFor(driver, request.known);
  if (traitsOf({ driver }).callsTools) return { way: 'wire', window };
  const isHeld = request.info.capabilities.schema && request.known.lesson?.leavesSchema !== true;
  return { way: isHeld ? 'held' : 'text', window };
}
