/** The records of a run, as its journal needs to know them. */
import type { AnyRecord, ParsedRecord, RecordFormat } from '../journal/record-format.ts';
import { FORMAT_VERSION, JournalRecord, type Stamped } from '../schema/records.ts';

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  JournalRecord.options.map((option) => option.shape.type.value),
);

export const RUN_FORMAT: RecordFormat<JournalRecord> = {
  newest: FORMAT_VERSION,
  firstType: 'run_opened',
  parse: parseRecord,
  misfits: (stored) => {
    const checked = JournalRecord.safeParse(stored);
    return checked.success ? [] : checked.error.issues;
  },
  header: (record) =>
    record.type === 'run_opened'
      ? {
          id: record.run,
          format: record.format,
          key: record.goalHash,
          title: record.goal,
          startedAt: record.startedAt,
        }
      : null,
  isPromise: ({ type }) => type === 'action_intended',
  ending: endingOf,
};

export function parseRecord(value: object): ParsedRecord<JournalRecord> {
  const envelope = value as { seq?: unknown; ts?: unknown; type?: unknown; optional?: unknown };
  const { seq, ts } = envelope;
  if (!isCount(seq) || typeof ts !== 'number') {
    return { kind: 'unknown', why: 'it has no seq and ts' };
  }
  if (!KNOWN_TYPES.has(envelope.type)) {
    return envelope.optional === true
      ? { kind: 'skipped', seq }
      : { kind: 'unknown', why: `its type is ${JSON.stringify(envelope.type)}` };
  }
  const checked = JournalRecord.safeParse(value);
  if (checked.success) return { kind: 'record', record: value as Stamped };
  const issue = checked.error.issues[0];
  return {
    kind: 'unknown',
    why: `${String(envelope.type)}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  };
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;

/** A note may follow the end of a run without opening it again. */
function endingOf(record: AnyRecord & { readonly ending?: unknown }): string | null {
  switch (record.type) {
    case 'note':
      return 'says_nothing';
    case 'run_finished':
      return typeof record.ending === 'string' ? record.ending : null;
    case 'undo_finished':
      return 'undone';
    default:
      return null;
  }
}
