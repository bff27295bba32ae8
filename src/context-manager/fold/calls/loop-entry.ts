// The loop detector's entry for a finished action. Pure.
import type { ToolCall } from '../../../schema/model/messages.ts';
import type { LoopEntry } from '../../../schema/state-parts/run-facts.ts';
import { headOfArguments } from '../messages/text.ts';
import { type Finished, finishedTarget } from '../work/finished.ts';

export const loopEntry = (record: Finished, call: ToolCall | undefined): LoopEntry => ({
  signature: record.signature,
  tool: record.tool,
  target: finishedTarget(record, call).slice(0, 120),
  args: call ? headOfArguments(call.args) : '',
  result: record.resultHash,
  reached: reachedBy(record),
  fileTool: record.touches === 'reads' || record.touches === 'files',
});

/** A change without hashes, as older journals have it, counts as a new state. */
function reachedBy({ facts, hashes, touches, seq }: Finished): LoopEntry['reached'] {
  if (facts.changed !== true) return null;
  if (facts.workspace !== undefined) return { '': facts.workspace };
  return touches === 'files' && Object.keys(hashes).length > 0 ? hashes : { '': `${seq}` };
}
