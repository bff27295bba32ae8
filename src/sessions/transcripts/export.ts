/**
 * A session as lines for other programs: the session first, then one line per message in their order. Derived from the
 * journal, which stays as it is.
 */

import { type ReadRecord, recordsIn } from '../../context-manager/read-records.ts';
import { CONVERSATION_FORMAT } from '../../context-manager/run-format.ts';
import { spokenWords } from '../../drivers/chat/messages.ts';
import { MISSING_RESULT } from '../../drivers/chat/transcript.ts';
import { createBlobStore } from '../../journal/blobs/blobs.ts';
import { readBack } from '../../journal/blobs/offload.ts';
import { corrupt } from '../../journal/replay.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { partsText } from '../../prompts/message-parts.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { JournalRecord } from '../../schema/records.ts';
import { layoutOfSession, readSession } from '../places.ts';

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'toolCall';
      readonly id: string;
      readonly name: string;
      readonly arguments: ToolCall['args'];
    };

/** A line that `agent export NAME` writes: the session first, then each message. */
export type TranscriptLine =
  | {
      readonly type: 'session';
      readonly session: string;
      readonly name: string | null;
      readonly number: number | null;
      readonly startedAt: string;
    }
  | {
      readonly type: 'message';
      readonly role: 'user' | 'assistant' | 'tool';
      readonly content: string;
      readonly timestamp: string;
      readonly model?: string;
      readonly toolCallId?: string;
      readonly toolName?: string;
      readonly isError?: boolean;
      readonly meta?: {
        readonly contentBlocks: readonly ContentBlock[];
        readonly tokens?: { readonly input: number; readonly output: number };
      };
    };

/** Throws E_JOURNAL_CORRUPT if the records end too early. */
export function* sessionRecords(
  fs: FileSystem,
  workspace: string,
  id: string,
): Generator<ReadRecord, void> {
  const layout = layoutOfSession(workspace, id);
  const blobs = createBlobStore(fs, layout.blobs);
  const read = (hash: string): string => blobs.read(hash).toString();
  const at = { fs, file: layout.history, format: CONVERSATION_FORMAT };
  const { offset, problem } = yield* recordsIn(at, (stored) => readBack(stored, read));
  if (problem !== '') throw corrupt(layout, offset, problem);
  // The journal may be shorter than it was, or gone.
  readSession(fs, workspace, id);
}

export interface TranscriptRecord {
  /** `null`: the line stands for a result that never arrived. */
  readonly record: ReadRecord['record'] | null;
  /** `null`: a transcript has no line for it. */
  readonly line: TranscriptLine | null;
}

/** Throws E_JOURNAL_CORRUPT if the journal is unreadable before its end. */
export function* transcriptOf(
  fs: FileSystem,
  workspace: string,
  id: string,
): Generator<TranscriptLine> {
  for (const { line } of transcriptRecords(fs, workspace, id)) if (line !== null) yield line;
}

/** The same with the record of each line, and with records that have no line. */
export function* transcriptRecords(
  fs: FileSystem,
  workspace: string,
  id: string,
): Generator<TranscriptRecord> {
  let open: { readonly calls: ToolCall[]; readonly at: string } = { calls: [], at: '' };
  let model = '';
  for (const { record } of sessionRecords(fs, workspace, id)) {
    const at = new Date(record.ts).toISOString();
    if (record.type === 'settings_changed') model = `${record.provider}:${record.model}`;
    if (record.type === 'action_finished')
      open = { ...open, calls: open.calls.filter((call) => call.id !== record.callId) };
    else if (startsAnew(record)) {
      yield* missing(open);
      open = { calls: [], at };
    }
    yield { record, line: lineOf(record, at, model) };
    if (isReply(record) && record.decoded.kind === 'calls')
      open = { calls: record.decoded.calls, at };
  }
  yield* missing(open);
}

const isReply = (
  record: JournalRecord,
): record is Extract<JournalRecord, { type: 'turn_finished' }> =>
  record.type === 'turn_finished' &&
  record.purpose === 'action' &&
  (record.status.kind === 'success' || record.status.kind === 'truncated');

const startsAnew = (record: JournalRecord): boolean =>
  record.type === 'person_said' || record.type === 'message_added' || isReply(record);

/** The result that other programs require for a call that never got one. */
function* missing(open: {
  readonly calls: readonly ToolCall[];
  readonly at: string;
}): Generator<TranscriptRecord> {
  for (const { id, name } of open.calls)
    yield {
      record: null,
      line: {
        type: 'message',
        role: 'tool',
        content: MISSING_RESULT,
        timestamp: open.at,
        toolCallId: id,
        toolName: name,
        isError: true,
      },
    };
}

function lineOf(record: JournalRecord, timestamp: string, model: string): TranscriptLine | null {
  switch (record.type) {
    case 'run_opened': {
      const { run: session, conversation, number = null, startedAt } = record;
      const begun = new Date(startedAt).toISOString();
      const name = conversation?.name ?? null;
      return { type: 'session', session, name, number, startedAt: begun };
    }
    case 'person_said':
    case 'message_added':
      return {
        type: 'message',
        role: 'user',
        content: String(record.text) + partsText(record.parts),
        timestamp,
      };
    case 'action_finished':
      return {
        type: 'message',
        role: 'tool',
        content: String(record.result) + partsText(record.parts),
        timestamp,
        toolCallId: record.callId,
        toolName: record.tool,
        isError: record.status !== 'ok',
      };
    case 'message_ended':
      return record.said === undefined
        ? null
        : {
            type: 'message',
            role: 'assistant',
            content: String(record.said),
            timestamp,
            ...modelOf(model),
          };
    case 'turn_finished':
      return isReply(record) ? replyLine(record, timestamp, model) : null;
    default:
      return null;
  }
}

const modelOf = (model: string) => (model === '' ? {} : { model });

function replyLine(
  turn: Extract<JournalRecord, { type: 'turn_finished' }>,
  timestamp: string,
  model: string,
): TranscriptLine {
  const { decoded, usage, givenBy = model } = turn;
  const content = spokenWords(turn);
  const calls = decoded.kind === 'calls' ? decoded.calls : [];
  const input = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    type: 'message',
    role: 'assistant',
    content,
    timestamp,
    ...modelOf(givenBy),
    meta: {
      contentBlocks: [
        ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
        ...calls.map(({ id, name, args }) => ({
          type: 'toolCall' as const,
          id,
          name,
          arguments: args,
        })),
      ],
      tokens: { input, output: usage.output },
    },
  };
}
