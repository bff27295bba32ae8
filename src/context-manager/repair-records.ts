/** The records that a repair writes into a run's journal. Pure. */
import type { UnreadableSpan } from '../journal/record-format.ts';
import type { RepairRecords } from '../journal/repair/contract.ts';
import { UNREADABLE } from '../prompts/remarks.ts';
import type { JournalRecord } from '../schema/records.ts';
import type { MessageRef, RunState } from '../schema/state.ts';

export const RUN_REPAIR: RepairRecords<RunState, JournalRecord> = {
  opening: ({ format, run, goal, goalHash, startedAt, version }) => ({
    record: { type: 'run_opened', format, run, goal, goalHash, startedAt, version },
    ts: startedAt,
  }),
  unreadable: (state, spans, before) => [
    { type: 'bytes_unreadable', optional: true, spans: [...spans], state: before },
    ...withoutUnreadable(state.conversation, spans),
  ],
  setAside: (part) => ({ type: 'bytes_set_aside', optional: true, ...part }),
  blobsIn: (record) => {
    switch (record.type) {
      case 'message_added':
      case 'person_said':
      case 'action_finished':
        return (record.parts ?? []).map(({ blob }) => blob);
      case 'action_intended':
        return record.files.flatMap(({ before }) => before ?? []);
      case 'swap_started': {
        const contents = record.files.flatMap(({ before, after }) => [before ?? [], after ?? []]);
        return [...contents.flat(), ...(record.more === undefined ? [] : [record.more.blob])];
      }
      case 'file_restored':
        return record.replaced === undefined ? [] : [record.replaced];
      case 'note':
        return record.kind === 'full_result' ? [String(record.data.blob)] : [];
      case 'bytes_unreadable':
        return [record.state];
      case 'files_kept':
        return [record.manifest];
      case 'files_changed':
        return record.more === undefined ? [] : [record.more.blob];
      default:
        return [];
    }
  },
};

/** A call and its results leave the conversation together, because servers accept neither alone. */
function withoutUnreadable(
  conversation: readonly MessageRef[],
  spans: readonly UnreadableSpan[],
): JournalRecord[] {
  const isLost = ({ offset }: MessageRef) =>
    spans.some(({ from, to }) => offset >= from && offset < to);
  let first = conversation.findIndex(isLost);
  let last = conversation.findLastIndex(isLost);
  if (first < 0) return [];
  while (first > 0 && conversation[first]?.role === 'tool') first -= 1;
  while (conversation[last + 1]?.role === 'tool') last += 1;
  const [fromSeq, toSeq] = [conversation[first]?.seq ?? 0, conversation[last]?.seq ?? 0];
  return [
    { type: 'compaction_started', fromSeq, toSeq, method: 'drop' },
    { type: 'compacted', fromSeq, toSeq, text: UNREADABLE },
  ];
}
