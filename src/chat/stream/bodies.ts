/** Pure: what a conversation tells, as events of the stream. A record says itself and what it means. */
import { commonMeaning, recordSaid, type Said, saidBy } from '../../run/stream/bodies.ts';
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { ChatRecord } from '../../schema/chat-records.ts';
import type { StreamBody } from '../../schema/stream.ts';

export interface BeforeIt {
  /** The turn under way. */
  readonly turn: number;
  /** Messages in the conversation before this event. */
  readonly messages: number;
  /** Milliseconds that a call took which has ended; left out: it was not carried out. */
  tookMs(id: string): number | undefined;
}

export function saidInSession(event: SessionEvent, before: BeforeIt): readonly Said[] {
  switch (event.type) {
    case 'record': {
      const { record, whole = record, state } = event;
      const after = state.conversation.length;
      return recordSaid(record, meaningsOf(whole, { ...before, after }));
    }
    case 'turn_started': {
      const { purpose, iteration } = event;
      const { turn } = before;
      return [{ body: { type: 'turn_started', turn, purpose, target: null, iteration } }];
    }
    // It is the first event.
    case 'begun':
      return [];
    default:
      return saidBy(event, before);
  }
}

function meaningsOf(
  record: ChatRecord,
  { messages, after, tookMs }: BeforeIt & { readonly after: number },
): readonly StreamBody[] {
  const compaction = { type: 'compaction', before: messages, after } as const;
  switch (record.type) {
    case 'turn_finished': {
      const isShorter = record.purpose === 'summary' && record.status.kind === 'success';
      return [...toldIn(record), ...(isShorter ? [compaction] : [])];
    }
    case 'action_finished': {
      const durationMs = tookMs(record.id);
      return toldIn(record).map((body) =>
        durationMs === undefined ? body : ({ ...body, durationMs } as StreamBody),
      );
    }
    case 'approval_asked':
    case 'permission_noted':
    case 'approval_given':
      return toldIn(record);
    case 'shortened':
      return [compaction];
    default:
      return [];
  }
}

function toldIn(record: Parameters<typeof commonMeaning>[0]): readonly StreamBody[] {
  const meaning = commonMeaning(record);
  return meaning === null ? [] : [meaning];
}
