// What a compaction changes in the conversation. Pure.
import type { CutMessage, Located, RecordOf } from '../../../schema/records.ts';
import type { MessageRef, RunState } from '../../../schema/state.ts';
import { isOverflow } from '../work/plan.ts';
import { lengthOf } from './text.ts';

export function foldCompacted(state: RunState, record: Located<RecordOf<'compacted'>>): RunState {
  const { seq, offset, cut } = record;
  const ref = {
    seq,
    offset,
    role: 'user',
    cause: 'summary',
    length: lengthOf(record.text),
  } as const;
  const conversation = cut
    ? withCuts(state.conversation, cut, offset)
    : withSummary(state.conversation, record, ref)?.map(asItIs);
  if (!conversation) return state;
  const counted = isOverflow(state) ? triedAgain(state, cut ? 'cuts' : 'compactions') : state;
  return { ...withShorterConversation(counted, conversation), lastTurn: null };
}

/** A message that refers to a removed message with the same text gets its full text back. */
function asItIs(
  { same, ...ref }: MessageRef,
  _place: number,
  all: readonly MessageRef[],
): MessageRef {
  if (same === undefined) return ref;
  const { as, ...whole } = same;
  return all.some(({ seq }) => seq === as) ? { ...ref, same } : { ...ref, ...whole };
}

/** Replaces the conversation with a shorter one, which invalidates its token counts. */
export const withShorterConversation = <State extends RunState>(
  state: State,
  conversation: readonly MessageRef[],
): State => ({
  ...state,
  conversation,
  pending: offTheWire(state, conversation),
  overflowRecovery: { ...state.overflowRecovery, isSubtaskOver: false },
  counters: { ...state.counters, compactions: state.counters.compactions + 1 },
  usage: { ...state.usage, last: null, floor: {} },
});

/** Counts one more attempt to make the conversation fit. */
export const triedAgain = <State extends RunState>(
  state: State,
  what: 'compactions' | 'cuts',
  times = 1,
): State => ({
  ...state,
  overflowRecovery: {
    ...state.overflowRecovery,
    [what]: state.overflowRecovery[what] + times,
  },
});

/** If the answer with native calls is dropped, their results are reported as text. */
function offTheWire(
  { pending, conversation: before }: RunState,
  conversation: RunState['conversation'],
): RunState['pending'] {
  const answer = before.findLast(({ role }) => role === 'assistant');
  const isThere = conversation.some(({ seq }) => seq === answer?.seq);
  return pending === null || isThere ? pending : { ...pending, areRecovered: true };
}

/** @param range by position in the conversation, because a summary precedes messages that are older than it */
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

/** The message keeps its id and position; its text now comes from this record. */
const withCuts = (
  conversation: readonly MessageRef[],
  cuts: readonly CutMessage[],
  offset: number,
): readonly MessageRef[] =>
  conversation.map((ref) => {
    const cut = cuts.find(({ seq }) => seq === ref.seq);
    if (!cut) return ref;
    const { shows: _notWhole, same: _said, ...rest } = ref;
    return { ...rest, offset, length: lengthOf(cut.text) };
  });
