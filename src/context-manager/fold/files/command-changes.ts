// Changes that commands made to files over the whole run. Pure.
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import type { CommandChange, CommandChanges } from '../../../schema/state-parts/run-facts.ts';
import type { Finished } from '../work/finished.ts';

export const NO_COMMAND_CHANGES: CommandChanges = { files: {}, uncovered: {}, more: 0 };

const MAX_FILES = 1_000;

export const foldFiles = <State extends Pick<RunState, 'kept' | 'commandChanges'>>(
  state: State,
  record: Located<RecordOf<'files_kept' | 'files_changed'>>,
): State =>
  record.type === 'files_kept'
    ? { ...state, kept: record.manifest }
    : { ...state, commandChanges: changedByCommand(state.commandChanges, record) };

function changedByCommand(
  changes: CommandChanges,
  record: Located<RecordOf<'files_changed'>>,
): CommandChanges {
  const isUnseen = record.by === 'unknown';
  const isAllowed = record.allowed;
  const files = new Map(Object.entries(changes.files));
  for (const { path, before, after } of record.files) {
    const known = files.get(path);
    // If someone else changed the file in between, earlier content is not tracked further back.
    const isContinued = known !== undefined && known.after === before;
    const first = isContinued ? known.before : before;
    if (first === after) files.delete(path);
    else
      files.set(path, {
        before: first,
        after,
        isUnseen: isUnseen || !!known?.isUnseen,
        seq: record.seq,
        ...(isAllowed && (known === undefined || known.isAllowed) ? { isAllowed } : {}),
      });
  }
  const uncovered = new Map(Object.entries(changes.uncovered));
  const allowed = new Set(changes.allowed);
  for (const { path, became } of record.uncovered ?? []) {
    const wasMade = uncovered.get(path) === 'made';
    if (isAllowed && !uncovered.has(path)) allowed.add(path);
    if (!isAllowed) allowed.delete(path);
    if (wasMade && became === 'removed') uncovered.delete(path);
    else uncovered.set(path, wasMade ? 'made' : became);
  }
  const back = record.by === 'engine' ? record.files : [];
  const putBack = [
    ...Object.entries(changes.putBack ?? {}),
    ...back.map(({ path, before }) => [path, before] as const),
  ];
  return {
    ...bounded(files, uncovered, changes.more + (record.more?.count ?? 0)),
    ...(putBack.length > 0 ? { putBack: Object.fromEntries(putBack.slice(0, MAX_FILES)) } : {}),
    ...(allowed.size > 0 ? { allowed: [...allowed] } : {}),
  };
}

/** A tool rewrote files that a command had changed; their content is now the run's. */
export function writtenSince(changes: CommandChanges, record: Finished): CommandChanges {
  if (record.status !== 'ok' || record.touches !== 'files') return changes;
  const touched = Object.keys(record.hashes).filter((path) => Object.hasOwn(changes.files, path));
  if (touched.length === 0) return changes;
  const files = new Map(Object.entries(changes.files));
  for (const path of touched) {
    const known = files.get(path);
    if (known) files.set(path, { ...known, after: record.hashes[path] ?? null });
  }
  return { ...changes, files: Object.fromEntries(files) };
}

function bounded(
  files: ReadonlyMap<string, CommandChange>,
  uncovered: ReadonlyMap<string, CommandChanges['uncovered'][string]>,
  more: number,
): CommandChanges {
  const over = (count: number): number => Math.max(0, count - MAX_FILES);
  return {
    files: Object.fromEntries([...files].slice(0, MAX_FILES)),
    uncovered: Object.fromEntries([...uncovered].slice(0, MAX_FILES)),
    more: more + over(files.size) + over(uncovered.size),
  };
}
