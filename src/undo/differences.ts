import { runSync } from '../lib/interruptible.ts';
import type { FileChange } from '../schema/actions.ts';
import { allFiles } from '../workspace/before-images/all-files.ts';
import { contentReader } from '../workspace/before-images/packs.ts';
import { hashIfReadable, infoOf, readBytes } from '../workspace/files.ts';
import { placeOfFile, type WorkspacePlace } from './folders.ts';
import { isMeantPath } from './named-file.ts';
import { planUndo, targetFor, type UndoFile } from './plan.ts';
import type { UndoRecord } from './remnants.ts';
import { blobOf } from './step.ts';
import { withheldSetIn } from './swap.ts';
import { stepsTogether } from './together.ts';

/** One file: before the run, and now or, for withheld changes, as the run left it. */
export interface FileDifference {
  readonly path: string;
  /** `null`: it did not exist. */
  readonly before: Uint8Array | null;
  /** The current content, or that of a withheld change; `null`: it does not exist. */
  readonly after: Uint8Array | null;
  readonly isChangedSince: boolean;
  /** Why it cannot be shown; empty if it can. */
  readonly problem: string;
}

export interface DifferencePlace extends WorkspacePlace {
  /** A blob by its sha256; throws if it is missing or damaged. */
  readBlob(hash: string): Uint8Array;
}

/** A larger file is named but not shown. */
const MAX_BYTES = 4 * 1024 * 1024;

/** One file at a time, so that only one is in memory; none for a run that was undone. */
export function* differencesOf(
  place: DifferencePlace,
  records: Iterable<UndoRecord>,
  only?: string,
): Generator<FileDifference> {
  const all = [...records];
  const plan = planUndo(all, place.readBlob);
  if (plan.state === 'finished') return;
  const withheld = withheldSetIn(all);
  if (withheld !== null) {
    const files = allFiles(withheld, place.readBlob);
    const isMeant = isMeantPath(only, pathsIn(files), place.fs.platform);
    return yield* differencesOfSet({ files: files.filter(({ path }) => isMeant(path)) }, place);
  }
  const contents = { ...place, readBlob: contentReader(plan.manifests, place.readBlob) };
  const isMeant = isMeantPath(only, pathsIn(plan.files), place.fs.platform);
  const meant = plan.files.filter(({ path }) => isMeant(path));
  const { hidden } = runSync(stepsTogether(plan.files, contents));
  for (const file of meant.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const found = differenceOf(file, hidden.has(file.path), contents);
    if (found !== null) yield found;
  }
}

const pathsIn = (files: readonly { readonly path: string }[]): readonly string[] =>
  files.map(({ path }) => path);

/** Withheld changes: each file before the run, and as the run left it. */
export function* differencesOfSet(
  set: { readonly files: readonly FileChange[] } | null,
  place: DifferencePlace,
): Generator<FileDifference> {
  const files = set?.files ?? [];
  for (const file of files.toSorted((one, other) => (one.path < other.path ? -1 : 1))) {
    const { path } = file;
    const absolute = placeOfFile(path, place);
    const current = absolute === null ? 'unreadable' : hashIfReadable(place.fs, absolute);
    const nothing = { path, before: null, after: null, isChangedSince: current !== file.before };
    const [before, after] = [file.before, file.after].map((hash) =>
      hash === null ? null : blobOf(hash, place),
    );
    const isLost = (file.before !== null && !before) || (file.after !== null && !after);
    const size = Math.max(before?.length ?? 0, after?.length ?? 0);
    if (file.before === file.after) yield { ...nothing, problem: 'only its mode is different' };
    else if (isLost) yield { ...nothing, problem: 'what it held is not kept' };
    else if (size > MAX_BYTES) yield { ...nothing, problem: 'it is too large to be shown' };
    else yield { ...nothing, before: before ?? null, after: after ?? null, problem: '' };
  }
}

/** What one call changed in a file; `null` if it changed nothing, or if the file has changed since. */
export function differenceMade(change: FileChange, place: DifferencePlace): FileDifference | null {
  const { path, before, after } = change;
  const absolute = placeOfFile(path, place);
  if (before === after || absolute === null) return null;
  if (hashIfReadable(place.fs, absolute) !== after) return null;
  const old = before === null ? null : blobOf(before, place);
  const size = Math.max(infoOf(place.fs, absolute)?.size ?? 0, old?.length ?? 0);
  if ((before !== null && old === null) || size > MAX_BYTES) return null;
  const now = after === null ? null : readBytes(place.fs, absolute);
  return { path, before: old, after: now, isChangedSince: false, problem: '' };
}

/** `null` if there is no difference now. */
function differenceOf(
  file: UndoFile,
  isHidden: boolean,
  place: DifferencePlace,
): FileDifference | null {
  const { path } = file;
  const nothing = { path, before: null, after: null, isChangedSince: false };
  const absolute = isHidden ? null : placeOfFile(path, place);
  if (absolute === null && !isHidden)
    return { ...nothing, problem: 'its folder leads somewhere else now' };
  const current = absolute === null ? null : hashIfReadable(place.fs, absolute);
  const info = absolute === null ? null : infoOf(place.fs, absolute);
  if (current === 'unreadable') return { ...nothing, problem: 'it cannot be read' };
  const target = targetFor(file, current);
  if (target.kind === 'never_written') return null;
  if (target.kind === 'there_already') {
    const isSame = info === null || target.mode === undefined || info.mode === target.mode;
    const isWindows = place.fs.platform === 'win32';
    return isSame || isWindows ? null : { ...nothing, problem: 'only its mode is different' };
  }
  const isChangedSince = target.kind === 'changed_since';
  const before = target.hash === null ? null : blobOf(target.hash, place);
  if (target.hash !== null && before === null)
    return { ...nothing, isChangedSince, problem: 'what it held before is not kept' };
  const size = info?.size ?? 0;
  if (size > MAX_BYTES || (before?.length ?? 0) > MAX_BYTES)
    return { ...nothing, isChangedSince, problem: 'it is too large to be shown' };
  const after = current === null || absolute === null ? null : readBytes(place.fs, absolute);
  return { path, before, after, isChangedSince, problem: '' };
}
