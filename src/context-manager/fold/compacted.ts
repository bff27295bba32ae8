// What a compaction does to the conversation; pure.
import type { CutMessage, Located, RecordOf } from '../../schema/records.ts';
import type { MessageRef, RunState } from '../../schema/state.ts';
import { isOverflow } from './plan.ts';
import { lengthOf } from './text.ts';

export function foldCompacted(state: RunState, record: Located<RecordOf<'compacted'>>): RunState {
  const { seq, offset } = record;
  const length = lengthOf(record.text);
  const conversation = record.cut
    ? withCuts(state.conversation, record.cut, record.offset)
    : withSummary(state.conversation, record, {
        seq,
        offset,
        role: 'user',
        cause: 'summary',
        length,
      });
  if (conversation === null) return state;
  return {
    ...state,
    conversation,
    pending: offTheWire(state, conversation),
    overflowRecovery: {
      ...(isOverflow(state)
        ? afterRecovery(state.overflowRecovery, record.cut !== undefined)
        : state.overflowRecovery),
      isSubtaskOver: false,
    },
    counters: { ...state.counters, compactions: state.counters.compactions + 1 },
    usage: { ...state.usage, last: null, floor: {} },
    lastTurn: null,
  };
}

/** Calls whose answer is dropped are on the wire no more: what they come to is told in words. */
function offTheWire(
  { pending, conversation: before }: RunState,
  conversation: RunState['conversation'],
): RunState['pending'] {
  const answer = before.findLast(({ role }) => role === 'assistant');
  const isThere = conversation.some(({ seq }) => seq === answer?.seq);
  return pending === null || isThere ? pending : { ...pending, areRecovered: true };
}

const afterRecovery = (
  overflowRecovery: RunState['overflowRecovery'],
  isCut: boolean,
): RunState['overflowRecovery'] =>
  isCut
    ? { ...overflowRecovery, cuts: overflowRecovery.cuts + 1 }
    : { ...overflowRecovery, compactions: overflowRecovery.compactions + 1 };

/** @param range by place: a summary stands before messages that are older than it */
export function withSummary(
  conversation: readonly MessageRef[],
  range: { readonly fromSeq: number; readonly toSeq: number },
  summary: MessageRef,
): readonly MessageRef[] | null {
  const first = conversation.findIndex(({ seq }) => seq === range.fromSeq);
  const last = conversation.findIndex(({ seq }) => seq === range.toSeq);
  if (first < 0 || last < first) return null;
  return [...conversation.slice(0, first), summary, ...conversation.slice(last + 1)];
}

/** The message keeps its name and its place; from now on its words are read from this record. */
export const withCuts = (
  conversation: readonly MessageRef[],
  cuts: readonly CutMessage[],
  offset: number,
): readonly MessageRef[] =>
  conversation.map((ref) => {
    const cut = cuts.find(({ seq }) => seq === ref.seq);
    if (!cut) return ref;
    const { shows: _notWhole, ...rest } = ref;
    return { ...rest, offset, length: lengthOf(cut.text) };
  });
