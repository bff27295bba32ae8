import { driverOf } from '../drivers/driver-of.ts';
import type { RunState } from '../schema/state.ts';

/**
 * The first answer of a run shows whether the server holds it to the schema: what it was asked with
 * admits nothing but JSON. Such a model cannot be led, where there is a choice at all.
 */
export function leavesSchema({ settings, lastTurn, counters }: RunState, answer: string): boolean {
  const isLed = settings?.mayChangeDriver === true && !driverOf(settings).callsTools;
  return isLed && lastTurn?.status.kind === 'success' && counters.turns === 1 && !isJson(answer);
}

function isJson(answer: string): boolean {
  const json = /[[{][\s\S]*[\]}]/.exec(answer)?.[0] ?? '';
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
