/** The record formats of runs and conversations, as the journal needs them. */
import type { AnyRecord, ParsedRecord, RecordFormat } from '../journal/record-format.ts';
import { walkOf } from '../lib/schemas/walk.ts';
import type { Upgraded } from '../schema/journal/format-1.ts';
import { upgradedChatLine, upgradedRunLine } from '../schema/journal/upgrade.ts';
import { FORMAT_VERSION, JournalRecord, type Stamped } from '../schema/records.ts';

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  JournalRecord.def.options.flatMap(({ def }) => def.shape.type.def.values),
);

const isRecord = walkOf(JournalRecord).fits;

/** @param upgraded converts a line of that kind of journal to this build's form */
const formatOf = (
  upgraded: (value: object) => Upgraded,
  firstType: string,
  isConversation: boolean,
): RecordFormat<JournalRecord> => ({
  newest: FORMAT_VERSION,
  firstType,
  parse: (value) => parsedAs(value, upgraded),
  misfits: (stored) => {
    if (isRecord(stored)) return [];
    const checked = JournalRecord.safeParse(stored);
    return checked.success ? [] : checked.error.issues;
  },
  header: (record) =>
    record.type === 'run_opened' && (record.conversation !== undefined) === isConversation
      ? {
          id: record.run,
          format: record.format,
          key: isConversation ? record.run : record.goalHash,
          title: record.goal,
          startedAt: record.startedAt,
          number: record.number,
          isOnce: record.conversation?.once,
        }
      : null,
  bridge: (record) => (record.type === 'bytes_unreadable' ? record : null),
  isPromise: ({ type }) => type === 'action_intended',
  ending: isConversation ? endingOfConversation : endingOf,
});

export const RUN_FORMAT = formatOf(upgradedRunLine, 'run_opened', false);

export const CONVERSATION_FORMAT = formatOf(
  upgradedChatLine,
  'the opening of a conversation',
  true,
);

function parsedAs(
  value: object,
  upgraded: (value: object) => Upgraded,
): ParsedRecord<JournalRecord> {
  const { seq, ts, type, optional } = value as Envelope;
  if (!isCount(seq) || typeof ts !== 'number')
    return { kind: 'unknown', why: 'it has no seq and ts' };
  const unknown = (why: string): ParsedRecord<JournalRecord> => ({
    kind: 'unknown',
    why: `${String(type)}: ${why}`,
  });
  const today = upgraded(value);
  if (!KNOWN_TYPES.has(today.ok ? (today.value as Envelope).type : type)) {
    return optional === true
      ? { kind: 'skipped', seq }
      : { kind: 'unknown', why: `its type is ${JSON.stringify(type)}` };
  }
  if (!today.ok) return unknown(today.why);
  if (isRecord(today.value)) return { kind: 'record', record: today.value as Stamped };
  const checked = JournalRecord.safeParse(today.value);
  if (checked.success) return { kind: 'record', record: today.value as Stamped };
  const issue = checked.error.issues[0];
  return unknown(`${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
}

interface Envelope {
  readonly seq?: unknown;
  readonly ts?: unknown;
  readonly type?: unknown;
  readonly optional?: unknown;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;

/** What may follow the end without reopening it: notes, applying withheld changes, adopting and repairing. */
const AFTER_THE_END: ReadonlySet<string> = new Set([
  ...['note', 'swap_started', 'file_swapped', 'swap_finished', 'format_raised', 'adopted'],
  ...['bytes_unreadable', 'bytes_set_aside', 'compaction_started', 'compacted'],
]);

function endingOf(record: AnyRecord & { readonly ending?: unknown }): string | null {
  if (AFTER_THE_END.has(record.type)) return 'says_nothing';
  switch (record.type) {
    case 'run_finished':
      return typeof record.ending === 'string' ? record.ending : null;
    case 'undo_finished':
      return 'undone';
    default:
      return null;
  }
}

function endingOfConversation({ type }: AnyRecord): string | null {
  if (type === 'session_cleared') return 'cleared';
  return AFTER_THE_END.has(type) ? 'says_nothing' : null;
}
