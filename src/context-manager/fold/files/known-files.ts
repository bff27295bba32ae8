// What an action reveals about files that it saw or changed. Pure.
import { own, withEntries } from '../../../lib/own.ts';
import type { FileChange, FileFacts } from '../../../schema/actions.ts';
import type { RunState } from '../../../schema/state.ts';
import type { KnownFile } from '../../../schema/state-parts/run-facts.ts';
import type { Finished } from '../work/finished.ts';

type FileState = Pick<RunState, 'files' | 'commandChanges'>;

/**
 * The sha256 of a file before the run first changed it, by a tool or a command and under whatever name; `null`:
 * the file did not exist.
 * @param changes the planned changes of the write in progress
 */
export function originalOf(
  known: FileState,
  path: string,
  changes: readonly FileChange[] = [],
): string | null {
  const change = changes.find((one) => one.path === path);
  if (change?.from !== undefined && change.from !== path)
    return originalOf(known, change.from, changes);
  const { original } = own(known.files, path) ?? {};
  if (original !== undefined) return original;
  const byCommand = own(known.commandChanges.files, path);
  return byCommand ? byCommand.before : (change?.before ?? null);
}

/** @param changes the planned changes from its intent */
export function filesAfter(
  known: FileState,
  record: Finished,
  changes: readonly FileChange[] = [],
): RunState['files'] {
  const { files } = known;
  const paths = Object.keys(record.hashes);
  if (paths.length === 0) return files;
  const looks = new Map((record.facts.files ?? []).map((facts) => [facts.path, facts]));
  const changed = paths.map((path): [string, KnownFile] => [
    path,
    fileAfter(own(files, path), looks.get(path), record.hashes[path] ?? null, {
      record,
      known,
      files,
      changes,
      path,
      change: changes.find((one) => one.path === path),
    }),
  ]);
  return withEntries(files, changed);
}

interface Ended {
  readonly path: string;
  readonly record: Finished;
  readonly change: FileChange | undefined;
  readonly changes: readonly FileChange[];
  readonly files: RunState['files'];
  readonly known: FileState;
}

function fileAfter(
  known: KnownFile | undefined,
  inspection: FileFacts | undefined,
  hash: string | null,
  ended: Ended,
): KnownFile {
  const { record } = ended;
  const isWrite = record.status === 'ok' && record.touches === 'files';
  const original = isWrite ? originalOf(ended.known, ended.path, ended.changes) : known?.original;
  return {
    hash,
    written: isWrite || (known?.written ?? false),
    ...(isOwn(known, hash, isWrite && record.facts.changed !== false) ? { isOwn: true } : {}),
    baseline: isWrite ? baselineAfterWrite(known, hash, ended) : baselineAfterRead(known, hash),
    ...(original === undefined ? {} : { original }),
    rejected: isWrite ? null : (withheldIn(record, ended.path) ?? known?.rejected ?? null),
    problems: inspection?.problems ?? (isWrite ? [] : (known?.problems ?? [])),
    defines: inspection?.defines ?? (isWrite ? [] : (known?.defines ?? [])),
    prompts: inspection?.prompts ?? (isWrite ? [] : (known?.prompts ?? [])),
  };
}

const withheldIn = ({ facts }: Finished, path: string): string | undefined =>
  facts.withheldFiles?.[path] ?? facts.withheld;

export const isOwn = (
  known: KnownFile | undefined,
  hash: string | null,
  isChange: boolean,
): boolean => isChange || (known?.isOwn === true && known.hash === hash);

/**
 * The hash of the text with which later whole contents of this file are compared, to find what they would lose;
 * `null`: none. Writing a whole content does not replace it, so that many small losses cannot add up. An edit
 * replaces it, and so does a content that the model insisted on. A move takes it along; a removal keeps it.
 */
function baselineAfterWrite(
  known: KnownFile | undefined,
  hash: string | null,
  { record: { does, facts }, change, changes, files }: Ended,
): string | null {
  if (change?.from !== undefined && hash !== null) return originalAfterMove(files, change, hash);
  if (change !== undefined && hash === null) {
    const isMoved = changes.some(({ from }) => from === change.path);
    return isMoved ? null : known ? known.baseline : change.before;
  }
  const isThere = does === 'edits_files' && change?.before !== null;
  const wasThere = known ? known.baseline !== null : isThere || facts.changed === false;
  if (!wasThere) return null;
  const isNewMeasure = known === undefined || does !== 'writes_whole_files';
  return isNewMeasure || known.rejected === hash ? hash : known.baseline;
}

function originalAfterMove(
  files: RunState['files'],
  { from = '' }: FileChange,
  hash: string,
): string | null {
  const source = own(files, from);
  if (source === undefined) return hash;
  return source.hash === hash ? source.baseline : source.baseline && hash;
}

/** Changes by others to an existing file count as existing content; what the run made stays its own. */
export const baselineAfterRead = (
  known: KnownFile | undefined,
  hash: string | null,
): string | null => {
  if (known?.written && known.baseline === null) return null;
  return known && known.hash === hash ? known.baseline : hash;
};
