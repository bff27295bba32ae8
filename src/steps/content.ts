/** The content of one file, asked for apart from the action that named it. */
import type { RunState } from '../schema/state.ts';
import { lastStub } from './select.ts';
import { PATIENCE, type Step } from './step.ts';

export function contentStep(state: RunState): Step | null {
  const wanted = state.wantsContent;
  const last = state.conversation.at(-1)?.cause;
  if (!wanted) {
    const isRepairDone = state.beside !== null && state.active !== null && last === 'tool_result';
    return isRepairDone ? { do: 'close_branch', why: 'repaired' } : null;
  }
  if (wanted.tries >= PATIENCE.invalidReplies) return null;
  const stub = lastStub(state);
  if (stub?.status === 'conflict' && stub.target === wanted.file)
    return readAgain(state, wanted.file);
  const isSaid = last === 'content_question' || (state.beside !== null && last === 'refusal');
  return {
    do: 'ask',
    question: { kind: 'content', file: wanted.file },
    cause: isSaid ? null : 'content_question',
    tries: wanted.tries,
  };
}

/** Somebody else changed the file: it is read before it is written. */
const readAgain = (state: RunState, file: string): Step => ({
  do: 'open_round',
  origin: state.round?.origin ?? 'planned',
  calls: [{ id: `planned_${state.counters.rounds + 1}`, name: 'read_file', args: { path: file } }],
});
