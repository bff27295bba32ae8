/** Results of which the model is shown a part are kept whole, as long as the run has room for them. */
import { boundedOutput } from '../../processes/bounded-output.ts';
import type { Run } from '../run.ts';

/** Less is no use to anybody who reads on. */
const LEAST_BYTES = 4096;

/** Of one that does not fit the beginning and the end are kept; where nothing fits, nothing is. */
export function storeResult(
  { context, outputLimits }: Pick<Run, 'context' | 'outputLimits'>,
  id: string,
  text: string,
): void {
  const room = outputLimits.run - (context.state.keptBytes ?? 0);
  if (room < LEAST_BYTES) return;
  const kept = Buffer.byteLength(text) <= room ? text : beginningAndEnd(text, room);
  const blob = context.keepText(kept);
  const data = { id, blob, bytes: Buffer.byteLength(kept) };
  context.record({ type: 'note', kind: 'full_result', data });
}

function beginningAndEnd(text: string, bytes: number): string {
  const bounded = boundedOutput(bytes);
  bounded.add(text);
  return bounded.finish().text;
}
