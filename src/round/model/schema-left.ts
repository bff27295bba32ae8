import { driverOf } from '../../drivers/driver-of.ts';
import type { RunState } from '../../schema/state.ts';

/**
 * The first answer of a run shows whether the server holds it to the schema: what it was asked with
 * admits nothing but JSON. Such a model cannot be led, where there is a choice at all.
 */
export function leavesSchema(
  { settings, lastTurn, counters, guided: { plainTry } }: RunState,
  answer: string,
): boolean {
  const isLed = settings?.mayChangeDriver === true && !driverOf(settings).callsTools;
  // A plain try is held to none.
  const wasTried = plainTry?.is === 'answered' || (plainTry?.is === 'over' && plainTry.wasAsked);
  const first = wasTried ? 2 : 1;
  return (
    isLed && lastTurn?.status.kind === 'success' && counters.turns === first && !isJson(answer)
  );
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
