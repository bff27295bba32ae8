/** Derives from a run's records what undoing it means. Pure. */
import { defined } from '../lib/defined.ts';
import type { FileChange } from '../schema/actions.ts';
import { SCRATCH_ID } from '../schema/evidence.ts';
import type { Uncovered } from '../schema/journal/before-images.ts';
import type { RecordOf } from '../schema/records.ts';
import { allFiles } from '../workspace/before-images/all-files.ts';
import { commitIn, isCommit } from './commits.ts';
import type { UndoRecord } from './remnants.ts';

export interface UndoWrite {
  readonly before: string | null;
  readonly after: string | null;
  /** Permission bits before the write. */
  readonly mode: number | undefined;
  /** True if the write changed them. */
  readonly setsMode: boolean;
  /** False if no outcome confirms it; the disk decides then. */
  readonly isCertain: boolean;
  readonly by: 'tool' | 'command';
  /** Only a damaged line mentions it. */
  readonly isRemnant?: true;
}

export interface UndoFile {
  readonly path: string;
  /** Oldest first. */
  readonly writes: readonly UndoWrite[];
}

export interface RestoredFile {
  readonly path: string;
  /** `null`: it was removed. */
  readonly hash: string | null;
  /** Why it was left alone; empty if it was not. */
  readonly skipped: string;
  /** The blob with what a command, or someone in the meantime, had left there. */
  readonly replaced?: string | undefined;
  /** Nothing had to be done. */
  readonly isAsBefore?: true;
}

/** A file that was found changed after a crash; whether a command did it is unknown. */
export interface UnseenChange {
  readonly path: string;
  /** The content that the run knew; `null`: it did not exist. */
  readonly before: string | null;
}

export interface UndoPlan {
  /** The file that was written last comes first. */
  readonly files: readonly UndoFile[];
  /** Folders that the run created, innermost first. */
  readonly folders: readonly string[];
  /** Folders that it removed, outermost first. */
  readonly foldersGone: readonly { readonly path: string; readonly mode: number }[];
  readonly commands: readonly string[];
  /** True if the user's files were kept before the commands and compared after each. */
  readonly isWatched: boolean;
  readonly unseen: readonly UnseenChange[];
  /** Files that commands changed and of which nothing was kept. */
  readonly uncovered: readonly Uncovered[];
  /** Blobs that say where contents are kept. */
  readonly manifests: readonly string[];
  readonly state: 'not_begun' | 'under_way' | 'finished';
  /** Files that an unfinished undo has dealt with. */
  readonly done: readonly RestoredFile[];
}

/** @param readBlob for lists that are too long for a line; without it they count as empty */
export function planUndo(records: Iterable<UndoRecord>, readBlob?: ReadBlob): UndoPlan {
  const planner = undoPlanner(readBlob);
  for (const record of records) planner.take(record);
  return planner.plan();
}

/** The same for records that arrive one by one, oldest first. */
export function undoPlanner(readBlob: ReadBlob = () => Buffer.from('[]')) {
  const intents: RecordOf<'action_intended'>[] = [];
  const changes: RecordedChange[] = [];
  const watched: RecordOf<'files_changed'>[] = [];
  const manifests: string[] = [];
  const succeeded = new Set<string>();
  const commits = new Map<string, string | null>();
  let state: UndoPlan['state'] = 'not_begun';
  let done: RestoredFile[] = [];
  const take = (record: UndoRecord): void => {
    switch (record.type) {
      case 'action_intended':
        intents.push(record);
        changes.push(
          ...record.files.map((file) => ({ ...file, by: 'tool' as const, intent: record.id })),
        );
        break;
      case 'remnant':
        // Content that is replaced is kept, as with commands, because it may be someone else's.
        changes.push(...record.files.map(remnantOf));
        break;
      case 'action_finished':
        if (record.status === 'ok') succeeded.add(record.id);
        commits.set(record.id, commitIn(record.result));
        break;
      case 'files_kept':
        manifests.push(record.manifest);
        break;
      case 'files_changed':
        watched.push(record);
        if (record.by !== 'unknown') changes.push(...commandChanges(record, readBlob));
        break;
      case 'undo_started':
        state = 'under_way';
        done = [];
        break;
      case 'file_restored':
        done.push(restoredBy(record));
        break;
      case 'undo_finished':
        state = 'finished';
    }
  };
  const isCertain = ({ isRemnant, intent }: RecordedChange): boolean =>
    !isRemnant && (intent === undefined || succeeded.has(intent));
  const plan = (): UndoPlan => ({
    files: filesOf(changes.map((change) => ({ ...change, isCertain: isCertain(change) }))),
    folders: foldersOf(changes, watched),
    foldersGone: foldersGone(changes),
    commands: [...new Set(intents.flatMap((one) => commandOf(one, commits.get(one.id) ?? null)))],
    isWatched: manifests.length > 0,
    unseen: unseenIn(watched, readBlob),
    uncovered: uncoveredIn(watched),
    manifests,
    state,
    done,
  });
  return { take, plan };
}

type ReadBlob = (hash: string) => Uint8Array;
type Change = FileChange & Pick<UndoWrite, 'by' | 'isRemnant'>;
type RecordedChange = Change & { readonly intent?: string };

const remnantOf = (file: FileChange): RecordedChange => ({
  ...file,
  by: 'command',
  isRemnant: true,
});

const restoredBy = ({
  path,
  hash,
  skipped,
  replaced,
}: RecordOf<'file_restored'>): RestoredFile => ({ path, hash, skipped, ...defined({ replaced }) });

const commandChanges = (record: RecordOf<'files_changed'>, readBlob: ReadBlob): Change[] =>
  allFiles(record, readBlob).map((file) => ({ ...file, by: 'command' }));

/** The first record counts, because it shows what the run knew. */
function unseenIn(
  watched: readonly RecordOf<'files_changed'>[],
  readBlob: ReadBlob,
): readonly UnseenChange[] {
  const unseen = new Map<string, UnseenChange>();
  for (const record of watched.filter(({ by }) => by === 'unknown'))
    for (const { path, before } of allFiles(record, readBlob))
      if (!unseen.has(path)) unseen.set(path, { path, before });
  return [...unseen.values()];
}

/**
 * The last change of each file. A created file that was changed later still counts as created; one that was
 * removed later does not.
 */
function uncoveredIn(watched: readonly RecordOf<'files_changed'>[]): readonly Uncovered[] {
  const last = new Map<string, Uncovered>();
  for (const one of watched.flatMap(({ uncovered = [] }) => uncovered)) {
    const wasMade = last.get(one.path)?.became === 'made';
    if (wasMade && one.became === 'removed') last.delete(one.path);
    else if (!wasMade) last.set(one.path, one);
  }
  return [...last.values()];
}

function filesOf(
  changes: readonly (Change & { readonly isCertain: boolean })[],
): readonly UndoFile[] {
  const writes = new Map<string, UndoWrite[]>();
  for (const { path, before, after, mode, modeAfter, isCertain, by, isRemnant } of changes) {
    const setsMode = modeAfter !== undefined && modeAfter !== mode;
    if (before === after && !setsMode) continue;
    const earlier = writes.get(path) ?? [];
    // Inserted again, so that the order of the map is the order of the last writes.
    writes.delete(path);
    const facts = { mode, setsMode, isCertain, by, ...(isRemnant ? { isRemnant } : {}) };
    const write = { before, after, ...facts };
    writes.set(path, [...earlier, write]);
  }
  return [...writes].map(([path, list]) => ({ path, writes: list })).reverse();
}

function foldersOf(
  changes: readonly Change[],
  watched: readonly RecordOf<'files_changed'>[],
): readonly string[] {
  const byCommands = watched.filter(({ by }) => by === 'command');
  const folders = new Set([
    ...changes.flatMap((change) => change.createdDirs ?? []),
    ...changes.flatMap(({ folder, path }) => (folder === 'made' ? [path] : [])),
    ...byCommands.flatMap((record) => record.folders ?? []),
  ]);
  return [...folders].sort((one, other) => depth(other) - depth(one) || (one < other ? 1 : -1));
}

const depth = (folder: string): number => folder.split('/').length;

/** A folder that the run itself had created is not restored. */
function foldersGone(changes: readonly Change[]): UndoPlan['foldersGone'] {
  const made = new Set<string>();
  const gone = new Map<string, number>();
  for (const { path, folder, mode, createdDirs = [] } of changes) {
    for (const one of folder === 'made' ? [...createdDirs, path] : createdDirs) made.add(one);
    if (folder === 'removed' && !made.has(path)) gone.set(path, mode ?? 0o755);
  }
  return [...gone]
    .map(([path, mode]) => ({ path, mode }))
    .sort((one, other) => depth(one.path) - depth(other.path));
}

function commandOf(
  intent: { readonly id: string; readonly class: string; readonly args: object },
  commit: string | null,
): readonly string[] {
  if (intent.class !== 'command' && intent.class !== 'check') return [];
  // The command ran in a copy.
  if (intent.id.startsWith(SCRATCH_ID)) return [];
  const { cmd } = intent.args as { readonly cmd?: unknown };
  if (typeof cmd === 'string')
    return [commit !== null && isCommit(cmd) ? `${cmd} (commit ${commit})` : cmd];
  const head = typeof cmd === 'object' && cmd !== null && 'head' in cmd ? cmd.head : null;
  return typeof head === 'string' ? [`${head}...`] : [];
}

export interface RestoreTarget {
  /** `changed_since`: `hash` is still the content before the run. */
  readonly kind: 'never_written' | 'there_already' | 'changed_since' | 'restore';
  readonly hash: string | null;
  /**
   * A mode to set. If the content is already there, only one that the run set, or that was lost when the file
   * was removed.
   */
  readonly mode: number | undefined;
}

/**
 * The content to which a file goes back, given its current hash. It goes back no further than a write by
 * someone else between two writes of the run.
 */
export function targetFor(file: UndoFile, current: string | null): RestoreTarget {
  const writes = happened(file.writes, current);
  const newest = writes.at(-1);
  if (newest === undefined) {
    const [first] = file.writes;
    return { kind: 'never_written', hash: first?.before ?? null, mode: first?.mode };
  }
  let index = writes.length - 1;
  while (index > 0 && writes[index - 1]?.after === writes[index]?.before) index -= 1;
  const { before: hash, mode } = writes[index] ?? newest;
  const isModeOurs = writes.slice(index).some(({ after, setsMode }) => after === null || setsMode);
  if (current === hash) return { kind: 'there_already', hash, mode: isModeOurs ? mode : undefined };
  if (current !== newest.after) return { kind: 'changed_since', hash, mode };
  return { kind: 'restore', hash, mode };
}

/** The hash of what the run left in the file, `null` for no file; `undefined` if it never wrote the file. */
export const leftIn = ({ writes }: UndoFile, current: string | null): string | null | undefined =>
  happened(writes, current).at(-1)?.after;

/** Leaves out writes without an outcome that neither the disk nor the journal confirms. */
function happened(writes: readonly UndoWrite[], current: string | null): readonly UndoWrite[] {
  const kept: UndoWrite[] = [];
  let next = current;
  for (const write of [...writes].reverse()) {
    if (!write.isCertain && write.after !== next) continue;
    kept.unshift(write);
    next = write.before;
  }
  return kept;
}
