/** What undoing a run means, read from its records. Pure. */
import { SCRATCH_ID } from '../schema/evidence.ts';
import type { JournalRecord } from '../schema/records.ts';

export interface UndoWrite {
  readonly before: string | null;
  readonly after: string | null;
  /** Permission bits before. */
  readonly mode: number | undefined;
  /** False when no outcome says that it happened; the disk decides then. */
  readonly isCertain: boolean;
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
  /** Why it was left alone, or ''. */
  readonly skipped: string;
}

export interface UndoPlan {
  /** The file written last comes first. */
  readonly files: readonly UndoFile[];
  /** Folders the run made, innermost first. */
  readonly folders: readonly string[];
  /** Commands the run began; what they did is not undone. */
  readonly commands: readonly string[];
  readonly state: 'not_begun' | 'under_way' | 'finished';
  /** Files an undo that is under way is through with. */
  readonly done: readonly RestoredFile[];
}

export function planUndo(records: Iterable<JournalRecord>): UndoPlan {
  const intents: Extract<JournalRecord, { type: 'action_intended' }>[] = [];
  const succeeded = new Set<string>();
  let state: UndoPlan['state'] = 'not_begun';
  let done: RestoredFile[] = [];
  for (const record of records) {
    if (record.type === 'action_intended') intents.push(record);
    if (record.type === 'action_finished' && record.status === 'ok') succeeded.add(record.id);
    if (record.type === 'undo_started') {
      state = 'under_way';
      done = [];
    }
    if (record.type === 'file_restored') {
      done.push({ path: record.path, hash: record.hash, skipped: record.skipped });
    }
    if (record.type === 'undo_finished') state = 'finished';
  }
  const changes = intents.flatMap((intent) =>
    intent.files.map((file) => ({ ...file, isCertain: succeeded.has(intent.id) })),
  );
  return {
    files: filesOf(changes),
    folders: foldersOf(changes),
    commands: [...new Set(intents.flatMap((intent) => commandOf(intent)))],
    state,
    done,
  };
}

type Change = Extract<JournalRecord, { type: 'action_intended' }>['files'][number] & {
  readonly isCertain: boolean;
};

function filesOf(changes: readonly Change[]): readonly UndoFile[] {
  const writes = new Map<string, UndoWrite[]>();
  for (const { path, before, after, mode, isCertain } of changes) {
    if (before === after) continue;
    const earlier = writes.get(path) ?? [];
    // Set anew, so that the order of the map is the order of the last writes.
    writes.delete(path);
    writes.set(path, [...earlier, { before, after, mode, isCertain }]);
  }
  return [...writes].map(([path, list]) => ({ path, writes: list })).reverse();
}

function foldersOf(changes: readonly Change[]): readonly string[] {
  const folders = new Set(changes.flatMap((change) => change.createdDirs ?? []));
  const depth = (folder: string): number => folder.split('/').length;
  return [...folders].sort((one, other) => depth(other) - depth(one) || (one < other ? 1 : -1));
}

function commandOf(intent: {
  readonly id: string;
  readonly class: string;
  readonly args: object;
}): readonly string[] {
  if (intent.class !== 'command' && intent.class !== 'check') return [];
  // It worked in a copy.
  if (intent.id.startsWith(SCRATCH_ID)) return [];
  const { cmd } = intent.args as { readonly cmd?: unknown };
  if (typeof cmd === 'string') return [cmd];
  const head = typeof cmd === 'object' && cmd !== null && 'head' in cmd ? cmd.head : null;
  return typeof head === 'string' ? [`${head}...`] : [];
}

export type Target =
  | { readonly kind: 'never_written' }
  | { readonly kind: 'there_already'; readonly hash: string | null }
  | { readonly kind: 'changed_since' }
  | {
      readonly kind: 'restore';
      readonly hash: string | null;
      readonly mode: number | undefined;
    };

/**
 * Where a file goes back to, seen from the hash it has now. What somebody else wrote between two
 * writes of the run is as far back as it goes.
 */
export function targetFor(file: UndoFile, current: string | null): Target {
  const writes = happened(file.writes, current);
  const newest = writes.at(-1);
  if (newest === undefined) return { kind: 'never_written' };
  let index = writes.length - 1;
  while (index > 0 && writes[index - 1]?.after === writes[index]?.before) index -= 1;
  const { before: hash, mode } = writes[index] ?? newest;
  if (current === hash) return { kind: 'there_already', hash };
  if (current !== newest.after) return { kind: 'changed_since' };
  return { kind: 'restore', hash, mode };
}

/** Leaves out writes without an outcome that nothing on disk or in the journal bears out. */
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
