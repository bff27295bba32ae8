/**
 * Writes a conversation as the log that some programs keep of a session: a line `{ timestamp, data: { type, … } }` per
 * event. `session-log.ts` reads the same messages back.
 */
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { JournalRecord } from '../../schema/records.ts';
import { type TranscriptLine, type TranscriptRecord, transcriptRecords } from './export.ts';

interface LogLine {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly data: { readonly type: string; readonly [field: string]: unknown };
}

/** Throws E_JOURNAL_CORRUPT if the journal is unreadable before its end. */
export function* sessionLogOf(fs: FileSystem, workspace: string, id: string): Generator<LogLine> {
  for (const entry of transcriptRecords(fs, workspace, id)) yield* linesOf(entry);
}

function* linesOf({ record, line }: TranscriptRecord): Generator<LogLine> {
  if (record?.type === 'person_said' && line?.type === 'message')
    yield lineAt(line, { type: 'user_prompt', content: line.content });
  if (line?.type === 'session') {
    const { session: sessionId, startedAt: timestamp } = line;
    yield { timestamp, data: { type: 'session_start', sessionId, mode: 'repl', resumed: false } };
  }
  if (line?.type === 'message') yield lineAt(line, messageData(line));
  const event = record === null ? null : eventIn(record);
  if (event !== null && record !== null)
    yield { timestamp: new Date(record.ts).toISOString(), data: { type: 'event', ...event } };
}

type MessageLine = Extract<TranscriptLine, { type: 'message' }>;

const lineAt = ({ timestamp }: MessageLine, data: LogLine['data']): LogLine => ({
  timestamp,
  data,
});

function messageData({ role, content, toolCallId, toolName, meta }: MessageLine): LogLine['data'] {
  if (role === 'tool')
    return { type: 'message', role, callId: toolCallId, name: toolName, result: content };
  const toolCalls = (meta?.contentBlocks ?? []).flatMap((block) =>
    block.type === 'toolCall'
      ? [{ callId: block.id, name: block.name, argsJson: JSON.stringify(block.arguments) }]
      : [],
  );
  return { type: 'message', role, content, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
}

/** Events other than messages, as far as another program may want them. */
function eventIn(
  record: JournalRecord,
): { readonly eventType: string; readonly [field: string]: unknown } | null {
  switch (record.type) {
    case 'settings_changed':
      return { eventType: 'model', provider: record.provider, model: record.model };
    case 'approval_asked':
      return { eventType: record.type, id: record.id, question: record.question };
    case 'approval_given':
      return { eventType: record.type, id: record.id, allowed: record.allowed };
    case 'message_ended':
      return { eventType: record.type, ending: record.ending, detail: record.detail };
    default:
      return null;
  }
}
