/** The records of a conversation, as its journal needs to know them. */
import type { ParsedRecord, RecordFormat } from '../journal/record-format.ts';
import type { Fold } from '../journal/replay.ts';
import { ChatRecord, type StampedChat } from '../schema/chat-records.ts';
import type { ChatState } from '../schema/chat-state.ts';
import { fitsOf } from '../schema/fits.ts';
import { FORMAT_VERSION } from '../schema/records.ts';
import { upgradedChatLine } from '../schema/upgrade.ts';
import { CHAT_STATE_SCHEMA, reduceChat } from './fold/fold.ts';

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  ChatRecord.options.map((option) => option.shape.type.value),
);

const isRecord = fitsOf(ChatRecord);

export const CHAT_FORMAT: RecordFormat<ChatRecord> = {
  newest: FORMAT_VERSION,
  firstType: 'session_opened',
  parse,
  misfits: (stored) => (isRecord(stored) ? [] : (ChatRecord.safeParse(stored).error?.issues ?? [])),
  header: (record) =>
    record.type === 'session_opened'
      ? {
          id: record.session,
          format: record.format,
          key: record.session,
          title: record.name ?? '',
          startedAt: record.startedAt,
          number: record.number,
        }
      : null,
  isPromise: ({ type }) => type === 'action_intended',
  ending: ({ type }) => {
    if (type === 'session_cleared') return 'cleared';
    return type === 'note' ? 'says_nothing' : null;
  },
};

export const CHAT_FOLD: Fold<ChatState, ChatRecord> = {
  schema: CHAT_STATE_SCHEMA,
  reduce: reduceChat,
};

interface Envelope {
  readonly seq?: unknown;
  readonly ts?: unknown;
  readonly type?: unknown;
  readonly optional?: unknown;
}

function parse(value: object): ParsedRecord<ChatRecord> {
  const { seq, ts, type, optional } = value as Envelope;
  if (!isCount(seq) || typeof ts !== 'number')
    return { kind: 'unknown', why: 'it has no seq and ts' };
  if (!KNOWN_TYPES.has(type))
    return optional === true
      ? { kind: 'skipped', seq }
      : { kind: 'unknown', why: `its type is ${JSON.stringify(type)}` };
  const today = upgradedChatLine(value);
  if (!today.ok) return { kind: 'unknown', why: `${String(type)}: ${today.why}` };
  if (isRecord(today.value)) return { kind: 'record', record: today.value as StampedChat };
  const checked = ChatRecord.safeParse(today.value);
  if (checked.success) return { kind: 'record', record: today.value as StampedChat };
  const issue = checked.error.issues[0];
  const where = `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`;
  return { kind: 'unknown', why: `${String(type)}: ${where}` };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
