/** The records of a run, as its journal needs to know them. */
import type { AnyRecord, ParsedRecord, RecordFormat } from '../journal/record-format.ts';
import { fitsOf } from '../schema/fits.ts';
import { FORMAT_VERSION, JournalRecord, type Stamped } from '../schema/records.ts';
import { upgradedRunLine } from '../schema/upgrade.ts';

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  JournalRecord.options.map((option) => option.shape.type.value),
);

const isRecord = fitsOf(JournalRecord);

export const RUN_FORMAT: RecordFormat<JournalRecord> = {
  newest: FORMAT_VERSION,
  firstType: 'run_opened',
  parse: parseRecord,
  misfits: (stored) => {
    if (isRecord(stored)) return [];
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
          number: record.number,
        }
      : null,
  bridge: (record) => (record.type === 'bytes_unreadable' ? record : null),
  isPromise: ({ type }) => type === 'action_intended',
  ending: endingOf,
};

export function parseRecord(value: object): ParsedRecord<JournalRecord> {
  const envelope = value as Envelope;
  const { seq, ts } = envelope;
  if (!isCount(seq) || typeof ts !== 'number') {
    return { kind: 'unknown', why: 'it has no seq and ts' };
  }
  if (!KNOWN_TYPES.has(envelope.type)) {
    return envelope.optional === true
      ? { kind: 'skipped', seq }
      : { kind: 'unknown', why: `its type is ${JSON.stringify(envelope.type)}` };
  }
  const unknown = (why: string): ParsedRecord<JournalRecord> => ({
    kind: 'unknown',
    why: `${String(envelope.type)}: ${why}`,
  });
  const today = upgradedRunLine(value);
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
