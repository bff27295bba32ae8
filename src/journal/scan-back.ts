/** How a journal ends, read from its end backwards: cheap however long it is. */
import { readRange } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Ending } from '../schema/records.ts';

const FIRST_READ_BYTES = 16 * 1024;
const NEWLINE = '\n';

export interface JournalEnding {
  /** Of the last record that can be read; 0 when there is none. */
  readonly seq: number;
  readonly ts: number;
  readonly ended: Ending | 'undone' | null;
}

interface Envelope {
  readonly seq: number;
  readonly ts: number;
  readonly type: string;
  readonly ending?: Ending;
}

/** Records that may follow the end of a run without opening it again. */
const CHANGES_NOTHING = new Set(['note']);

/**
 * Looks only for the end; whether the journal is good is for opening it to say. A last line that
 * is torn or still being written does not count.
 */
export function readEnding(fs: FileSystem, fd: number): JournalEnding {
  const size = fs.size(fd);
  for (let wanted = FIRST_READ_BYTES; ; wanted *= 4) {
    const start = Math.max(0, size - wanted);
    const text = readRange(fs, fd, start, size - start).toString('utf8');
    const lines = text.slice(0, text.lastIndexOf(NEWLINE) + 1).split(NEWLINE);
    // The first piece begins in the middle of a line unless it begins the file.
    const whole = lines.slice(start === 0 ? 0 : 1);
    let last: Envelope | undefined;
    for (let index = whole.length - 1; index >= 0; index--) {
      const envelope = envelopeOf(whole[index] ?? '');
      last ??= envelope;
      if (envelope !== undefined && last !== undefined && !CHANGES_NOTHING.has(envelope.type)) {
        return { seq: last.seq, ts: last.ts, ended: endingOf(envelope) };
      }
    }
    if (start === 0) return { seq: last?.seq ?? 0, ts: last?.ts ?? 0, ended: null };
  }
}

function envelopeOf(line: string): Envelope | undefined {
  if (!line.startsWith('{"seq":')) return undefined;
  try {
    return JSON.parse(line) as Envelope;
  } catch {
    return undefined;
  }
}

function endingOf(record: Envelope): JournalEnding['ended'] {
  if (record.type === 'run_finished') return record.ending ?? null;
  return record.type === 'undo_finished' ? 'undone' : null;
}
