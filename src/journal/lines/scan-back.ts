/** Reads how a journal ends from its end backwards, which is fast for any length. */
import { readRange } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { jsonIn } from '../../lib/json-value.ts';
import type { AnyRecord, RecordFormat } from '../record-format.ts';

const FIRST_READ_BYTES = 16 * 1024;
const NEWLINE = '\n';

export interface JournalEnding {
  /** The seq of the last readable record; 0 if there is none. */
  readonly seq: number;
  readonly ts: number;
  /** `null` while the run is in progress. */
  readonly ended: string | null;
}

interface Envelope extends AnyRecord {
  readonly seq: number;
  readonly ts: number;
}

/**
 * Looks only for the end; opening the journal checks the rest. A last line that is torn or still being written
 * does not count.
 */
export function readEnding<R extends AnyRecord>(
  fs: FileSystem,
  fd: number,
  { ending }: Pick<RecordFormat<R>, 'ending'>,
): JournalEnding {
  const size = fs.size(fd);
  for (let wanted = FIRST_READ_BYTES; ; wanted *= 4) {
    const start = Math.max(0, size - wanted);
    const text = readRange(fs, fd, start, size - start).toString('utf8');
    const lines = text.slice(0, text.lastIndexOf(NEWLINE) + 1).split(NEWLINE);
    // The first piece begins in the middle of a line, unless it is the start of the file.
    const whole = lines.slice(start === 0 ? 0 : 1);
    let last: Envelope | undefined;
    for (let index = whole.length - 1; index >= 0; index--) {
      const envelope = envelopeOf(whole[index] ?? '');
      last ??= envelope;
      const ended = envelope === undefined ? 'says_nothing' : ending(envelope);
      if (last !== undefined && ended !== 'says_nothing')
        return { seq: last.seq, ts: last.ts, ended };
    }
    if (start === 0) return { seq: last?.seq ?? 0, ts: last?.ts ?? 0, ended: null };
  }
}

function envelopeOf(line: string): Envelope | undefined {
  return line.startsWith('{"seq":') ? (jsonIn(line) as Envelope | undefined) : undefined;
}
