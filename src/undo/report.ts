/** The report of an undo. */
import { sha256 } from '../lib/sha256.ts';
import type { Uncovered } from '../schema/journal/before-images.ts';
import { notCovered } from './not-covered.ts';
import type { RestoredFile, UndoPlan } from './plan.ts';
import type { UndoDamage } from './records.ts';

/** What was restored, what was left alone and why, and the commands that no undo covers. */
export interface UndoReport {
  readonly outcome: 'undone' | 'already_undone' | 'nothing_to_undo';
  /** Files with their earlier content; folders end in `/`. */
  readonly restored: readonly string[];
  /** Files that did not exist before the run. */
  readonly removed: readonly string[];
  readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
  readonly foldersRemoved: readonly string[];
  /** Files that someone changed since: their content before the run was written beside them. */
  readonly beside?: readonly { readonly path: string; readonly beside: string }[];
  /** Folders of the run that now contain something else. */
  readonly foldersLeft: readonly string[];
  /** Commands of the run whose effects the undo may not cover. */
  readonly commands: readonly string[];
  /** Left out if the whole journal was readable. */
  readonly damage?: UndoDamage;
  /** Left out for a run whose commands were not observed: their effects are not covered. */
  readonly byCommands?: {
    /** Files that commands changed, created or removed and of which nothing was kept. */
    readonly uncovered: readonly Uncovered[];
    /** Blobs with what commands, or someone in the meantime, had left in restored files. */
    readonly replaced: readonly { readonly path: string; readonly blob: string }[];
  };
}

export const NOTHING_UNDONE: UndoReport = {
  outcome: 'nothing_to_undo',
  restored: [],
  removed: [],
  leftAlone: [],
  foldersRemoved: [],
  foldersLeft: [],
  commands: [],
};

/** An empty file has no content that a person might want back. */
const EMPTY = sha256('');

export function reportOf(
  outcome: UndoReport['outcome'],
  files: readonly RestoredFile[],
  { commands, isWatched, uncovered }: Pick<UndoPlan, 'commands' | 'isWatched' | 'uncovered'>,
): UndoReport {
  const through = files.filter((file) => file.skipped === '' && !file.isAsBefore);
  const replaced = through.flatMap(({ path, replaced: blob }) =>
    blob === undefined || blob === EMPTY ? [] : [{ path, blob }],
  );
  return {
    ...NOTHING_UNDONE,
    outcome,
    restored: through.filter((file) => file.hash !== null).map((file) => file.path),
    removed: through.filter((file) => file.hash === null).map((file) => file.path),
    leftAlone: files
      .filter((file) => file.skipped !== '')
      .map((file) => ({ path: file.path, why: file.skipped })),
    commands: notCovered(commands),
    ...(isWatched ? { byCommands: { uncovered, replaced } } : {}),
  };
}

/** Merges several reports, newest first: the oldest report on a file gives its final state. */
export function mergedReport(reports: readonly UndoReport[]): UndoReport {
  const [first = NOTHING_UNDONE] = reports;
  const all = <Key extends 'foldersRemoved' | 'foldersLeft' | 'commands'>(key: Key) => [
    ...new Set(reports.flatMap((one) => one[key])),
  ];
  const ended = new Map<string, 'restored' | 'removed'>();
  for (const { restored, removed } of reports) {
    for (const path of restored) ended.set(path, 'restored');
    for (const path of removed) ended.set(path, 'removed');
  }
  const those = (how: 'restored' | 'removed'): string[] =>
    [...ended].flatMap(([path, one]) => (one === how ? [path] : []));
  const byCommands = reports.flatMap((one) => one.byCommands ?? []);
  return {
    outcome: reports.some(({ outcome }) => outcome === 'undone') ? 'undone' : first.outcome,
    restored: those('restored'),
    removed: those('removed'),
    leftAlone: reports.flatMap((one) => one.leftAlone),
    foldersRemoved: all('foldersRemoved'),
    foldersLeft: all('foldersLeft'),
    commands: all('commands'),
    ...(byCommands.length === 0
      ? {}
      : {
          byCommands: {
            uncovered: byCommands.flatMap((one) => one.uncovered),
            replaced: byCommands.flatMap((one) => one.replaced),
          },
        }),
  };
}
