/** Stores full results of which the model sees only a part, while the run has room for them. */
import { boundedOutput } from '../../processes/bounded-output.ts';
import type { RunPorts } from '../run-ports.ts';

/** A smaller part would not help anyone who reads on. */
const MIN_BYTES = 4096;

/** If a result does not fit, its beginning and end are kept; if even that does not fit, nothing is. */
export function storeResult(
  { context, outputLimits }: Pick<RunPorts, 'context' | 'outputLimits'>,
  id: string,
  text: string,
): void {
  const room = outputLimits.run - (context.state.keptBytes ?? 0);
  if (room < MIN_BYTES) return;
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
