/** A session as the events of its log. Durations are not stored, so they are `null`. */

import { replayRecords } from '../../context-manager/read-records.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { sessionRecords } from '../../sessions/transcripts/export.ts';
import { EventLog, type EventRecord } from './event-log.ts';
import { logEvents } from './log-events.ts';

/** Throws E_JOURNAL_CORRUPT if the journal is unreadable before its end. */
export function* exportedEvents(
  fs: FileSystem,
  workspace: string,
  id: string,
): Generator<EventRecord> {
  let now = 0;
  let due: EventRecord[] = [];
  const log = new EventLog({
    now: () => now,
    write: (event) => void due.push({ ...event, latency_ms: null }),
  });
  const tell = logEvents([log]);
  const begunAt = new Map<string, number>();
  let calls: readonly ToolCall[] = [];
  let isBegun = false;
  for (const event of replayRecords(sessionRecords(fs, workspace, id))) {
    const { whole: record, state } = event;
    now = record.ts;
    if (record.type === 'action_intended') begunAt.set(record.id, record.ts);
    if (record.type === 'turn_finished') {
      tell({
        type: 'turn_started',
        ...ASKED,
        purpose: record.purpose === 'summary' ? 'summary' : 'action',
      });
      calls = record.decoded.kind === 'calls' ? record.decoded.calls : [];
    }
    if (record.type === 'action_finished') {
      const call = calls.find((one) => one.id === record.callId);
      now = begunAt.get(record.id) ?? record.ts;
      if (call !== undefined) tell({ type: 'action_started', id: record.id, call });
      now = record.ts;
    }
    if (!isBegun && state.settings !== null)
      tell({ type: 'begun', state, number: state.chat?.number ?? null, isResumed: false });
    isBegun = state.settings !== null;
    tell(event);
    const { givenBy } = record.type === 'turn_finished' ? record : {};
    yield* givenBy === undefined ? due : due.map((event) => ({ ...event, model: givenBy }));
    due = [];
  }
}

/** No request is stored, so an event has no request. */
const ASKED = {
  target: null,
  request: () => ({
    model: '',
    messages: [],
    temperature: null,
    seed: 0,
    contextWindow: 0,
    maxOutputTokens: 0,
  }),
};
