// What the loop guard is told of a finished action; pure.
import type { ToolCall } from '../../../schema/model/messages.ts';
import type { LoopEntry } from '../../../schema/state-parts/run-facts.ts';
import { headOfArguments } from '../messages/text.ts';
import { type Finished, targetOf } from '../work/finished.ts';

export const loopEntry = (record: Finished, call: ToolCall | undefined): LoopEntry => ({
  signature: record.signature,
  tool: record.tool,
  target: targetOf(record, call).slice(0, 120),
  args: call ? headOfArguments(call.args) : '',
  result: record.resultHash,
  reached: reachedBy(record),
  fileTool: record.touches === 'reads' || record.touches === 'files',
});

/** A change that names neither files nor what is there since, as in older journals, is new. */
function reachedBy({ facts, hashes, touches, seq }: Finished): LoopEntry['reached'] {
  if (facts.changed !== true) return null;
  if (facts.workspace !== undefined) return { '': facts.workspace };
  return touches === 'files' && Object.keys(hashes).length > 0 ? hashes : { '': `${seq}` };
}
