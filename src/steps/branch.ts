import type { RunState } from '../schema/state.ts';
import type { Step } from './step.ts';

/** Returns to the main conversation once the model has been told what was done in the branch. */
export function branchEndStep({ mainConversation, active, conversation }: RunState): Step | null {
  const isDone = mainConversation !== null && active !== null;
  return isDone && conversation.at(-1)?.cause === 'tool_result'
    ? { do: 'close_branch', why: 'repaired' }
    : null;
}
