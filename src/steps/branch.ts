import type { RunState } from '../schema/state.ts';
import type { Step } from './step.ts';

/** Back to the main conversation, once what was done beside it is told there. */
export function branchEndStep({ mainConversation, active, conversation }: RunState): Step | null {
  const isDone = mainConversation !== null && active !== null;
  return isDone && conversation.at(-1)?.cause === 'tool_result'
    ? { do: 'close_branch', why: 'repaired' }
    : null;
}
