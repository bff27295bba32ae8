/** A conversation as the events of an engine in one call. Owns what it needs to tell how long a call took. */

import { textIn } from '../../host/log/words.ts';
import { engineEvents, type NamedEvent } from '../../run/stream/other-names.ts';
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { ChatRecord } from '../../schema/chat-records.ts';
import { STREAM_VERSION } from '../../schema/events.ts';
import type { StreamBody, StreamEvent } from '../../schema/stream.ts';

/** @param monotonic milliseconds */
export function engineStream(
  tell: (event: NamedEvent) => void,
  monotonic: () => number,
): (event: SessionEvent) => void {
  const began = new Map<string, number>();
  let session = '';
  let turn = 0;
  let messages = 0;
  const send = (body: StreamBody): void => {
    const event: StreamEvent = { v: STREAM_VERSION, session, ...body };
    for (const named of engineEvents(event)) tell(named);
  };
  return (event) => {
    switch (event.type) {
      case 'record': {
        const { state, record, whole = record } = event;
        session = state.session;
        const after = state.conversation.length;
        const body = bodyOf(whole, { turn, before: messages, after });
        messages = after;
        const start = whole.type === 'action_finished' ? began.get(whole.id) : undefined;
        // A call that was not carried out began nowhere.
        if (body?.type === 'tool_result' && start === undefined) return;
        const durationMs =
          start === undefined ? {} : { durationMs: Math.round(monotonic() - start) };
        if (body !== null) send({ ...body, ...durationMs } as StreamBody);
        return;
      }
      case 'turn_started':
        turn = event.iteration;
        if (event.purpose === 'action')
          send({ type: 'turn_started', turn, purpose: 'action', target: null });
        return;
      case 'text':
        return send({ type: 'text_delta', text: event.text });
      case 'thinking':
        return send({ type: 'thinking_delta', text: event.text });
      case 'tool_call_ready': {
        const { id, name, args } = event.call;
        return send({ type: 'tool_call_ready', id, name, args });
      }
      case 'action_started': {
        const { id, name } = event.call;
        began.set(event.id, monotonic());
        return send({ type: 'tool_started', id: event.id, callId: id, name });
      }
      case 'turn_retry':
        return send(event);
      default:
    }
  };
}

interface Place {
  readonly turn: number;
  /** Messages in the conversation before and after the record. */
  readonly before: number;
  readonly after: number;
}

function bodyOf(record: ChatRecord, { turn, before, after }: Place): StreamBody | null {
  switch (record.type) {
    case 'turn_finished': {
      const { purpose, status, detail, response, words = response.content, usage } = record;
      if (purpose === 'summary')
        return status.kind === 'success' ? { type: 'compaction', before, after } : null;
      const text = textIn(words);
      return { type: 'turn_finished', turn, purpose, status: status.kind, detail, text, usage };
    }
    case 'action_finished': {
      const { id, callId, tool, status, result } = record;
      return { type: 'tool_result', id, callId, name: tool, status, content: textIn(result) };
    }
    case 'shortened':
      return { type: 'compaction', before, after };
    default:
      return null;
  }
}
