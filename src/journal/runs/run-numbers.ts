/**
 * The numbers that people use for runs. A run's number is in its first record; runs from before there were
 * numbers are numbered in the order in which they began. `last-number` remembers the highest number, even if
 * its journal is gone: no number is given twice.
 */
import { join } from '../../lib/files/absolute-paths.ts';
import { createFile } from '../../lib/files/claim-file.ts';
import {
  discard,
  errorCode,
  readFileIfPresent,
  replaceFile,
  withStorageErrors,
} from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { sweepBeside } from '../../lib/files/left-temporaries.ts';
import type { Layout } from '../layout.ts';

export interface NumberedRun {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The number that people use for the run; `null` if no record contains it. */
  readonly number: number | null;
  /** Why the journal cannot be read; empty if it can. */
  readonly problem: string;
}

/** Adds numbers to runs that began before there were numbers, or lost theirs in a repair. Pure. */
export function withNumbers<R extends NumberedRun>(runs: readonly R[]): R[] {
  const before = runs
    .filter(({ number, problem }) => number === null && problem === '')
    .sort((one, other) => one.startedAt - other.startedAt || (one.id < other.id ? -1 : 1));
  const taken = new Set(runs.map(({ number }) => number));
  const given = new Map<R, number>();
  let last = 0;
  for (const run of before) {
    do last += 1;
    while (taken.has(last));
    given.set(run, last);
  }
  return runs.map((run) => ({ ...run, number: given.get(run) ?? run.number }));
}

interface NumberFiles {
  readonly fs: FileSystem;
  readonly layout: Pick<Layout, 'lastNumber' | 'lock'>;
}

/**
 * The number of a run or session that begins now; both share one sequence. Two that begin at once never get the
 * same number: each number is taken by creating a file, which only one can do. Throws E_DISK_FULL, E_IO.
 */
export function nextNumber(place: NumberFiles, known: readonly NumberedRun[]): number {
  return withStorageErrors(`taking a number in ${place.layout.lock}`, () =>
    takeNumber(place, known),
  );
}

function takeNumber({ fs, layout }: NumberFiles, known: readonly NumberedRun[]): number {
  const { lastNumber, lock } = layout;
  const taken = new Set(known.map(({ number }) => number));
  const highest = (): number =>
    [remembered(fs, lastNumber), ...claims(fs, lock), ...known.map(numberOf)]
      .filter((number) => number <= HIGHEST_REACHED)
      .reduce((most, number) => Math.max(most, number), 0);
  let next = highest() + 1;
  while (taken.has(next) || !claim(fs, lock, next)) next = Math.max(next, highest()) + 1;
  // Not synced: after a power loss the remaining journals still contain the number.
  remember(fs, lastNumber, Math.max(next, remembered(fs, lastNumber)));
  for (const old of claims(fs, lock))
    if (old <= next - KEPT_CLAIMS) discard(fs, claimed(lock, old));
  return next;
}

/** A run that begins at the same time may remove the half-written file; its own file is then sufficient. */
function remember(fs: FileSystem, path: string, number: number): void {
  try {
    replaceFile(fs, path, Buffer.from(`${number}\n`), { isSynced: false });
  } catch (error) {
    const cause = error instanceof Error ? error.cause : null;
    if (errorCode(cause) !== 'ENOENT') throw error;
  }
}

/** Removes what a process left that was killed while it took its number. */
export const sweepNumber = (fs: FileSystem, { lastNumber }: Pick<Layout, 'lastNumber'>): void =>
  sweepBeside(fs, lastNumber);

/** What a record may contain. */
export const isRunNumber = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 999_999_999;

/** No folder has this many runs: a higher number came from someone else, and those above it must not run out. */
const HIGHEST_REACHED = 900_000_000;

/** How many runs may begin while one of them is slow to take its number. */
const KEPT_CLAIMS = 8;

const claimed = (folder: string, number: number): string => join(folder, `number.${number}`);

const claims = (fs: FileSystem, folder: string): readonly number[] =>
  fs
    .readdir(folder)
    .flatMap((name) => /^number\.(\d{1,9})$/.exec(name)?.[1] ?? [])
    .map(Number);

/** False if someone else has it. */
const claim = (fs: FileSystem, folder: string, number: number): boolean =>
  createFile(fs, claimed(folder, number), new Uint8Array());

const numberOf = ({ number }: NumberedRun): number => number ?? 0;

/** Any other content is ignored. */
function remembered(fs: FileSystem, path: string): number {
  const text = readFileIfPresent(fs, path)?.toString('latin1') ?? '';
  return /^\d{1,9}\n$/.test(text) ? Number(text) : 0;
}
