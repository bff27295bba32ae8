/** A line's JSON to a typed record, with the rule for records that this version does not know. */
import { JournalRecord, type Stamped } from '../schema/records.ts';

export type ParsedRecord =
  | { readonly kind: 'record'; readonly record: Stamped }
  /** Written by a newer version and marked as safe to pass over. */
  | { readonly kind: 'skipped'; readonly seq: number }
  | { readonly kind: 'unknown'; readonly why: string };

export type ParseRecord = (value: object) => ParsedRecord;

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(
  JournalRecord.options.map((option) => option.shape.type.value),
);

/**
 * Checks a value whose checksum already held. What does not fit is therefore no damage but the
 * work of another version.
 */
export const parseRecord: ParseRecord = (value) => {
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
};

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
