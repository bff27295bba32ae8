import { checksumAtEnd, encodeLine } from '../../src/journal/lines/framing.ts';
import { FORMAT_VERSION, type JournalRecord } from '../../src/schema/records.ts';

/**
 * A journal with further lines, as another build of this format would have written them.
 * @param history its whole text
 */
export function appended(history: string, records: readonly JournalRecord[]): string {
  const lines = history.trimEnd().split('\n');
  const durable = lines.length;
  let previous = checksumAtEnd(Buffer.from(lines.at(-1) ?? '')) ?? 0;
  const added = records.map((record, index) => {
    const stamp = { seq: durable + index + 1, ts: 5, durable, format: FORMAT_VERSION };
    const { bytes, checksum } = encodeLine({ ...stamp, ...record }, previous);
    previous = checksum;
    return bytes.toString('utf8');
  });
  return history + added.join('');
}
