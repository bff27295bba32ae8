/** How a model calls tools in a conversation, by the rule that says who leads a run. */
import { windowFor } from '../../drivers/choose-driver.ts';
import { traitsOf } from '../../schema/driver.ts';
import { type DriverFactors, driverChosen } from '../start/configure.ts';

/**
 * `wire`: tools and calls are on the wire as such. `held`: each answer is one object by a schema, words or
 * one call. `text`: calls are written as text, where nothing holds answers to a schema.
 */
export interface Calling {
  readonly way: 'wire' | 'held' | 'text';
  /** Tokens. */
  readonly window: number;
}

/** Throws E_USAGE where calls on the wire are asked for and the model can make none. */
export function callingOf(request: DriverFactors): Calling {
  const { driver } = driverChosen(request);
  const window = windowFor(driver, request.known);
  if (traitsOf({ driver }).callsTools) return { way: 'wire', window };
  const isHeld = request.info.capabilities.schema && request.known.lesson?.leavesSchema !== true;
  return { way: isHeld ? 'held' : 'text', window };
}
