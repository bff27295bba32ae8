/** What an undo did. */
import type { Uncovered } from '../schema/journal/before-images.ts';
import { notCovered } from './not-covered.ts';
import type { RestoredFile, UndoPlan } from './plan.ts';
import type { UndoDamage } from './records.ts';

/** What went back, what was left alone and why, and the commands that no undo covers. */
export interface UndoReport {
  readonly outcome: 'undone' | 'already_undone' | 'nothing_to_undo';
  /** Files back to what they were; folders end in `/`. */
  readonly restored: readonly string[];
  /** Files that did not exist before the run. */
  readonly removed: readonly string[];
  readonly leftAlone: readonly { readonly path: string; readonly why: string }[];
  readonly foldersRemoved: readonly string[];
  /** Files that somebody changed since: what they held before the run lies beside them. */
  readonly beside?: readonly { readonly path: string; readonly beside: string }[];
  /** Folders the run made that hold something else by now. */
  readonly foldersLeft: readonly string[];
  /** Commands of the run that may have done what an undo does not cover. */
  readonly commands: readonly string[];
  /** Left out where the whole journal could be read. */
  readonly damage?: UndoDamage;
  /** Left out of a run whose commands nobody watched: what they did is not covered. */
  readonly byCommands?: {
    /** Files that they changed, made or removed, and of which nothing is kept. */
    readonly uncovered: readonly Uncovered[];
    /** Blobs with what they, or somebody meanwhile, had left in files that are back. */
    readonly replaced: readonly { readonly path: string; readonly blob: string }[];
  };
}

export const NOTHING_UNDONE: UndoReport = {
  ...{ outcome: 'nothing_to_undo', restored: [], removed: [], leftAlone: [] },
  ...{ foldersRemoved: [], foldersLeft: [], commands: [] },
};

export function reportOf(
  outcome: UndoReport['outcome'],
  files: readonly RestoredFile[],
  { commands, isWatched, uncovered }: Pick<UndoPlan, 'commands' | 'isWatched' | 'uncovered'>,
): UndoReport {
  const through = files.filter((file) => file.skipped === '');
  const replaced = through.flatMap(({ path, replaced: blob }) =>
    blob === undefined ? [] : [{ path, blob }],
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

/** Of several, the newest first: what the oldest says of a file is where it ended. */
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
