import { driverOf } from '../../drivers/driver-of.ts';
import { jsonIn } from '../../lib/json-value.ts';
import type { RunState } from '../../schema/state.ts';
import { answersTo } from '../../schema/state-parts/plain-try.ts';

/**
 * True when the first answer of a run shows that the server does not enforce the schema, which allows only
 * JSON. Such a model cannot be guided, if there is a choice of drivers.
 */
export function leavesSchema(
  { settings, lastTurn, counters, guided: { plainTry } }: RunState,
  answer: string,
): boolean {
  const isLed = settings?.mayChangeDriver === true && !driverOf(settings).callsTools;
  // A plain try has no schema.
  const first = 1 + answersTo(plainTry);
  return (
    isLed && lastTurn?.status.kind === 'success' && counters.turns === first && !isJson(answer)
  );
}

function isJson(answer: string): boolean {
  const start = answer.search(/[[{]/);
  const end = Math.max(answer.lastIndexOf(']'), answer.lastIndexOf('}'));
  return start >= 0 && jsonIn(answer.slice(start, end + 1)) !== undefined;
}
