/**
 * The numbers that people call runs by. A run has its number in its first record; one that was begun
 * before there were numbers has its place among those, in the order in which they began.
 * `last-number` remembers the highest, also of runs whose journals are gone: none is given twice.
 */
import { readFileIfPresent, replaceUnsynced } from '../lib/durable-files.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Layout } from './layout.ts';

export interface Numbered {
  readonly id: string;
  readonly startedAt: number;
  /** `null` where no record says it. */
  readonly number: number | null;
  /** Why the journal cannot be read, '' when it can. */
  readonly problem: string;
}

/** Pure: the same runs, those that began before there were numbers with theirs. */
export function withNumbers<R extends Numbered>(runs: readonly R[]): R[] {
  const before = runs
    .filter(({ number, problem }) => number === null && problem === '')
    .sort((one, other) => one.startedAt - other.startedAt || (one.id < other.id ? -1 : 1));
  return runs.map((run) => {
    const place = before.indexOf(run);
    return place < 0 ? run : { ...run, number: place + 1 };
  });
}

interface Place {
  readonly fs: FileSystem;
  readonly layout: Pick<Layout, 'lastNumber'>;
}

/** The number of a run that begins now. The caller holds the lock. Throws E_DISK_FULL, E_IO. */
export function nextNumber({ fs, layout }: Place, runs: readonly Numbered[]): number {
  const next = Math.max(remembered(fs, layout.lastNumber), ...runs.map(numberOf)) + 1;
  // Without a sync: after a power cut the journals that are left still say it.
  replaceUnsynced(fs, layout.lastNumber, Buffer.from(`${next}\n`));
  return next;
}

const numberOf = ({ number }: Numbered): number => number ?? 0;

/** Whatever else stands there says nothing. */
function remembered(fs: FileSystem, path: string): number {
  const text = readFileIfPresent(fs, path)?.toString('latin1') ?? '';
  return /^\d{1,9}\n$/.test(text) ? Number(text) : 0;
}
