/**
 * Which run a goal belongs to. `history.jsonl` is the current run, `runs/<id>.jsonl` are the
 * others; changing between them is one rename each way, so whatever is cut off in the middle
 * leaves every journal whole and in one of the two places.
 */
import { basename, join } from 'node:path';
import {
  errorCode,
  kindOf,
  renameFile,
  storageError,
  syncDirectory,
} from '../lib/durable-files.ts';
import { TardigradeError } from '../lib/errors.ts';
import type { FileSystem } from '../lib/file-system.ts';
import { type Ending, FORMAT_VERSION, type Stamped } from '../schema/records.ts';
import { hashGoal, journalOfRun } from './goal-id.ts';
import type { Layout } from './layout.ts';
import { parseRecord } from './parse-record.ts';
import { quarantineFile } from './quarantine.ts';
import { refuseWhenLost } from './recover.ts';
import { FROM_START, scanRecords } from './scan.ts';
import { readEnding } from './scan-back.ts';

export interface RunSummary {
  readonly id: string;
  readonly goal: string;
  readonly goalHash: string;
  /** Milliseconds since 1970, like `lastAt`. */
  readonly startedAt: number;
  readonly lastAt: number;
  readonly records: number;
  readonly ended: Ending | 'undone' | null;
  readonly isCurrent: boolean;
  readonly file: string;
  /** Why the journal cannot be read, '' when it can. */
  readonly problem: string;
}

export type RunChoice =
  /** No run of this goal yet (or, without a goal, none at all that could go on). */
  | { readonly kind: 'new' }
  | { readonly kind: 'resume'; readonly run: RunSummary }
  | { readonly kind: 'finished'; readonly run: RunSummary };

interface Place {
  readonly fs: FileSystem;
  readonly layout: Layout;
}

/** Every run of the workspace, the newest first. Reads only both ends of each journal. */
export function listRuns({ fs, layout }: Place): RunSummary[] {
  try {
    return findRuns(fs, layout);
  } catch (error) {
    throw storageError(error, `reading ${layout.root}`);
  }
}

function findRuns(fs: FileSystem, layout: Layout): RunSummary[] {
  const runs: RunSummary[] = [];
  const current = summarize(fs, layout.history, true);
  if (current !== null) runs.push(current);
  if (kindOf(fs, layout.runs) === 'directory') {
    for (const name of fs.readdir(layout.runs)) {
      if (!name.endsWith('.jsonl')) continue;
      const stored = summarize(fs, join(layout.runs, name), false);
      if (stored !== null) runs.push(stored);
    }
  }
  return runs.sort((one, other) => other.startedAt - one.startedAt || (one.id < other.id ? -1 : 1));
}

/**
 * The run to go on with: of this goal the newest; without a goal the current one, or the one last
 * worked on when a change of goals was cut off. Changes nothing. Throws E_JOURNAL_MISSING,
 * E_JOURNAL_CORRUPT, E_TOO_NEW for a current journal that cannot be read.
 */
export function chooseRun({ fs, layout }: Place, goal: string | null): RunChoice {
  const all = listRuns({ fs, layout });
  const current = all.find((run) => run.isCurrent);
  if (current === undefined) refuseWhenLost(fs, layout);
  if (current !== undefined && current.problem !== '') {
    // Opening it says precisely what is wrong; guessing which goal it was would hide it.
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

const asChoice = (run: RunSummary): RunChoice =>
  run.ended === null ? { kind: 'resume', run } : { kind: 'finished', run };

/**
 * Makes `run` the current one, `null` makes room for a new one: the journal that was current
 * moves to `runs/`. The caller holds the lock and has no journal open.
 */
export function makeCurrent({ fs, layout }: Place, run: RunSummary | null): void {
  if (run?.isCurrent) return;
  try {
    storeCurrent(fs, layout);
    if (run === null) return;
    renameFile(fs, run.file, layout.history);
    syncDirectory(fs, layout.root);
    syncDirectory(fs, layout.runs);
  } catch (error) {
    throw storageError(error, `changing the current run in ${layout.root}`);
  }
}

function storeCurrent(fs: FileSystem, layout: Layout): void {
  const current = summarize(fs, layout.history, true);
  if (current === null) return;
  if (current.problem !== '') {
    throw new TardigradeError(
      'E_JOURNAL_CORRUPT',
      `${layout.history} cannot be read (${current.problem}), so it is not moved away.`,
      'Run `agent repair` first.',
    );
  }
  const target = journalOfRun(layout, current.id);
  if (kindOf(fs, target) !== null) quarantineFile(fs, layout.quarantine, target);
  renameFile(fs, layout.history, target);
  // The new name first: a name that is in neither directory would be a lost journal.
  syncDirectory(fs, layout.runs);
  syncDirectory(fs, layout.root);
}

/** `null` when there is no such file. */
function summarize(fs: FileSystem, file: string, isCurrent: boolean): RunSummary | null {
  let fd: number;
  try {
    fd = fs.open(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  try {
    const found: Stamped[] = [];
    const scan = scanRecords(fs, fd, FROM_START, parseRecord, (record) => {
      found.push(record);
      return true;
    });
    const [first] = found;
    const problem =
      first === undefined
        ? scan.why || 'it is empty'
        : first.type !== 'run_opened'
          ? 'it does not begin with run_opened'
          : first.format > FORMAT_VERSION
            ? 'it was written by a newer version'
            : '';
    const header = first?.type === 'run_opened' ? first : null;
    const last = readEnding(fs, fd);
    return {
      id: header?.run ?? basename(file, '.jsonl'),
      goal: header?.goal ?? '',
      goalHash: header?.goalHash ?? '',
      startedAt: header?.startedAt ?? 0,
      lastAt: last.ts,
      records: last.seq,
      ended: last.ended,
      isCurrent,
      file,
      problem,
    };
  } finally {
    fs.close(fd);
  }
}
