/**
 * Finds the run of a goal. `history.jsonl` is the current run, `runs/<id>.jsonl` are the others. Switching is
 * one rename in each direction, so a crash in between leaves every journal complete and in one of the two
 * places.
 */

import { misuse, TardigradeError } from '../../lib/errors.ts';
import { basename, join } from '../../lib/files/absolute-paths.ts';
import {
  fileKindAt,
  orMissing,
  renameFile,
  syncDirectory,
  withStorageErrors,
} from '../../lib/files/durable-files.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { whyEndless } from '../layout.ts';
import { scanFirst } from '../lines/scan.ts';
import { type JournalEnding, readEnding } from '../lines/scan-back.ts';
import { quarantineFile } from '../quarantine.ts';
import type { AnyRecord, JournalFolder, JournalHeader, RecordFormat } from '../record-format.ts';
import { refuseWhenLost } from '../removed/lost-journal.ts';
import { hashGoal, journalOfRun } from './goal-id.ts';
import { type NumberedRun, withNumbers } from './run-numbers.ts';

export interface JournalledRun extends NumberedRun {
  readonly goal: string;
  readonly goalHash: string;
  readonly lastAt: number;
  readonly records: number;
  /** How it ended, according to its records; `null` while it is in progress. */
  readonly ended: string | null;
  readonly isCurrent: boolean;
  readonly file: string;
  /** The journal is in no list and is not kept forever. */
  readonly isOnce?: true;
}

export type RunChoice =
  /** There is no run of this goal yet (or, without a goal, none that could continue). */
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly run: JournalledRun }
  | { readonly kind: 'finished'; readonly run: JournalledRun };

/** Every run of the workspace, newest first. Reads only both ends of each journal. */
export function listJournalledRuns<R extends AnyRecord>(place: JournalFolder<R>): JournalledRun[] {
  return withStorageErrors(`reading ${place.layout.root}`, () => findRuns(place));
}

function findRuns<R extends AnyRecord>(place: JournalFolder<R>): JournalledRun[] {
  const { fs, layout } = place;
  const runs: JournalledRun[] = [];
  const current = summarize(place, layout.history, true);
  if (current !== null) runs.push(current);
  if (fileKindAt(fs, layout.runs) === 'directory') {
    for (const name of fs.readdir(layout.runs)) {
      if (!name.endsWith('.jsonl')) continue;
      const stored = summarize(place, join(layout.runs, name), false);
      if (stored !== null) runs.push(stored);
    }
  }
  return withNumbers(runs).sort(
    (one, other) => other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1),
  );
}

/**
 * The run to continue: the newest one of this goal; without a goal the current one, or the one last worked on
 * if switching goals was cut off. Changes nothing. Throws E_JOURNAL_MISSING, and E_JOURNAL_CORRUPT or E_TOO_NEW
 * for a current journal that cannot be read.
 * @param all as `listJournalledRuns` returns them
 */
export function chooseRun<R extends AnyRecord>(
  place: JournalFolder<R>,
  goal: string | null,
  all: readonly JournalledRun[] = listJournalledRuns(place),
): RunChoice {
  const current = all.find((run) => run.isCurrent);
  if (current === undefined) refuseWhenLost(place.fs, place.layout);
  if (current !== undefined && current.problem !== '') {
    // Opening it reports exactly what is wrong. Guessing its goal would hide that.
    return { kind: 'resume', run: current };
  }
  const runs = all.filter((run) => run.problem === '');
  if (goal !== null) {
    const goalHash = hashGoal(goal);
    const run = runs.find((each) => each.goalHash === goalHash);
    return run === undefined ? { kind: 'new' } : asChoice(run);
  }
  if (current !== undefined) return asChoice(current);
  const byLastUse = runs.toSorted((one, other) => other.lastAt - one.lastAt);
  const run = byLastUse.find((each) => each.ended === null) ?? byLastUse[0];
  return run === undefined ? { kind: 'new' } : asChoice(run);
}

/**
 * The run with the caller's id, which begins if it does not exist yet: submitting it twice still gives one run.
 * Throws E_USAGE if the id belongs to a run of another goal.
 */
export function chooseById(all: readonly JournalledRun[], id: string, goal: string): RunChoice {
  const run = all.find((each) => each.id === id && each.problem === '');
  if (run === undefined) return { kind: 'new' };
  if (run.goalHash === hashGoal(goal)) return asChoice(run);
  throw misuse(
    `The run ${id} has another goal: ${run.goal}`,
    'Choose another id, or continue it without a goal.',
  );
}

export const asChoice = (run: JournalledRun): RunChoice =>
  run.ended === null ? { kind: 'resume', run } : { kind: 'finished', run };

/** The run that a person named by its id. Throws E_USAGE if there is none. */
export function runNamed(all: readonly JournalledRun[], id: string): JournalledRun {
  const run = all.find((each) => each.id === id && each.problem === '');
  if (run !== undefined) return run;
  throw misuse('There is no such run here.', 'See what there is', {
    command: ['runs'],
  });
}

/**
 * Makes `run` the current one; `null` makes room for a new one. The former current journal moves to `runs/`.
 * The caller holds the lock and has no journal open.
 */
export function makeCurrent<R extends AnyRecord>(
  place: JournalFolder<R>,
  run: JournalledRun | null,
): void {
  const { fs, layout } = place;
  if (run?.isCurrent) return;
  withStorageErrors(`changing the current run in ${layout.root}`, () => {
    storeCurrent(place);
    if (run === null) return;
    renameFile(fs, run.file, layout.history);
    syncDirectory(fs, layout.root);
    syncDirectory(fs, layout.runs);
  });
}

function storeCurrent<R extends AnyRecord>(place: JournalFolder<R>): void {
  const { fs, layout } = place;
  const current = summarize(place, layout.history, true);
  if (current === null) return;
  if (current.problem !== '') {
    throw new TardigradeError(
      'E_JOURNAL_CORRUPT',
      `${layout.history} cannot be read (${current.problem}), so it is not moved away.`,
      'Repair it first',
      { command: ['repair'] },
    );
  }
  const target = journalOfRun(layout, current.id);
  if (fileKindAt(fs, target) !== null) quarantineFile(fs, layout.quarantine, target);
  renameFile(fs, layout.history, target);
  // The new name is synced first: a name in neither folder would be a lost journal.
  syncDirectory(fs, layout.runs);
  syncDirectory(fs, layout.root);
}

/** What both ends of a journal say about it; `null` if there is no such file. */
export function summarize<R extends AnyRecord>(
  { fs, format }: Pick<JournalFolder<R>, 'fs' | 'format'>,
  file: string,
  isCurrent: boolean,
): JournalledRun | null {
  const known = (
    header: JournalHeader | null,
    last: JournalEnding,
    problem: string,
  ): JournalledRun => ({
    id: header?.id ?? basename(file, '.jsonl'),
    number: header?.number ?? null,
    goal: header?.title ?? '',
    goalHash: header?.key ?? '',
    startedAt: header?.startedAt ?? 0,
    lastAt: last.ts,
    records: last.seq,
    ended: last.ended,
    isCurrent,
    file,
    problem,
    ...(header?.isOnce ? { isOnce: true } : {}),
  });
  const kind = fileKindAt(fs, file);
  // Opening it would block or fail.
  if (kind !== null && kind !== 'file') return known(null, NO_ENDING, 'it is not a file');
  const read = (fd: number): JournalledRun => {
    const { first, end } = scanFirst(fs, fd, format.parse);
    const header = first && format.header(first);
    const endless = whyEndless(fs, file);
    return endless === null
      ? known(header, readEnding(fs, fd, format), problemOf(first, header, end.why, format))
      : known(header, NO_ENDING, endless);
  };
  return orMissing(() => withFile(fs, file, read));
}

const NO_ENDING: JournalEnding = { ts: 0, seq: 0, ended: null };

function problemOf<R extends AnyRecord>(
  first: R | null,
  header: JournalHeader | null,
  why: string,
  { firstType, newest }: RecordFormat<R>,
): string {
  if (first === null) return why || 'it is empty';
  if (header === null) return `it does not begin with ${firstType}`;
  return header.format > newest ? 'it was written by a newer version' : '';
}
