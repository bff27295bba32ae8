import type { Redactor } from '../llm/secrets/redactor.ts';
import type { RecordOf } from '../schema/records.ts';

/**
 * A record without the keys in use. Blocks that only their provider reads are signed by it: one that
 * holds a key is left out, since no other byte of it may change.
 */
export function redactedRecord<R extends { readonly type: string }>(
  record: R,
  redactor: Redactor,
): R {
  if (!redactor.isNeeded) return record;
  const redacted = redactor.value(record);
  if (record.type !== 'turn_finished') return redacted;
  const { opaque: before, ...response } = responseOf(record);
  if (before === undefined) return redacted;
  const isWhole = JSON.stringify(before) === JSON.stringify(responseOf(redacted).opaque);
  return isWhole ? redacted : { ...redacted, response: redactor.value(response) };
}

/** The turns of a run and of a conversation hold their replies alike. */
const responseOf = (record: object): RecordOf<'turn_finished'>['response'] =>
  (record as Pick<RecordOf<'turn_finished'>, 'response'>).response;
