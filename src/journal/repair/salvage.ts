/** Reads what is left in bytes that are no longer a good journal, such as a part that was set aside. */
import type { FileSystem } from '../../lib/files/file-system.ts';
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import type { StampedRecord } from '../../schema/journal/stamp.ts';
import { decodeLine } from '../lines/framing.ts';
import { checksumIn, LineQueue, lineContent } from '../lines/line-queue.ts';
import type { AnyRecord, RecordFormat } from '../record-format.ts';

export type Salvaged<R> =
  | {
      readonly kind: 'record';
      readonly record: StampedRecord<R>;
      /** True if it matches the checksum in the line before; otherwise it only has the shape of a record. */
      readonly isChecked: boolean;
    }
  /** A line that is not a record; of a very long one, only the beginning. */
  | { readonly kind: 'line'; readonly text: string; readonly from: number; readonly to: number };

/**
 * Every line of an open file from `start` to `end`, or to the end of the file.
 * @param previous the checksum of the line before `start`, if it is known
 */
export function* salvage<R extends AnyRecord>(
  fs: FileSystem,
  fd: number,
  { parse }: Pick<RecordFormat<R>, 'parse'>,
  { start = 0, end = Number.POSITIVE_INFINITY, previous = null as number | null } = {},
): Generator<Salvaged<R>> {
  const queue = new LineQueue(fs, fd, start);
  let seed = previous;
  for (let line = queue.at(0); line !== null && line.from < end; line = queue.at(0)) {
    queue.take();
    const { from, to } = line;
    const content = lineContent(line);
    const decoded = seed === null ? null : decodeLine(content, seed);
    seed = checksumIn(content);
    const isChecked = decoded?.ok === true;
    const value = isChecked ? decoded.value : shapeOf(content);
    const parsed = value === null ? null : parse(value);
    if (parsed?.kind === 'record') yield { kind: 'record', record: parsed.record, isChecked };
    else if (parsed?.kind !== 'skipped' && content.length > 0) {
      yield { kind: 'line', text: content.toString('utf8'), from, to };
    }
  }
}

function shapeOf(content: Buffer): object | null {
  const line = jsonIn(content.toString('utf8'));
  if (!isRecord(line)) return null;
  const { c: _checksum, ...value } = line;
  return value;
}
