import type { Redactor } from '../llm/secrets/redactor.ts';
import type { RecordOf } from '../schema/records.ts';

/**
 * Removes secrets in use from a record. Blocks that only their provider reads are signed by it; a block with a
 * secret is dropped, because none of its bytes may change.
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

/** Turns of runs and conversations store replies in the same way. */
const responseOf = (record: object): RecordOf<'turn_finished'>['response'] =>
  (record as Pick<RecordOf<'turn_finished'>, 'response'>).response;
