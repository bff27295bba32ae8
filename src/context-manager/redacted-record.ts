import type { Redactor } from '../llm/secrets/redactor.ts';
import type { JournalRecord } from '../schema/records.ts';

/**
 * A record without the keys in use. Blocks that only their provider reads are signed by it: one that
 * holds a key is left out, since no other byte of it may change.
 */
export function redactedRecord<R extends JournalRecord>(record: R, redactor: Redactor): R {
  if (!redactor.isNeeded) return record;
  const redacted = redactor.value(record);
  if (record.type !== 'turn_finished' || redacted.type !== 'turn_finished') return redacted;
  const { opaque: before, ...response } = record.response;
  if (before === undefined) return redacted;
  const isWhole = JSON.stringify(before) === JSON.stringify(redacted.response.opaque);
  return isWhole ? redacted : { ...redacted, response: redactor.value(response) };
}
