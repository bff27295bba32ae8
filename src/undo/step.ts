/** Decides what to do with one file, given its current content, and does it. */

import { TardigradeError } from '../lib/errors.ts';
import { errorCode } from '../lib/files/durable-files.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import { withEnding } from '../lib/files/temporary-name.ts';
import { sha256 } from '../lib/sha256.ts';
import {
  hashIfReadable,
  infoOf,
  isRefusal,
  missingAbove,
  putFile,
  readBytes,
  removeFile,
} from '../workspace/files.ts';
import { foldersAbove, placeOfFile, type WorkspacePlace } from './folders.ts';
import { type RestoredFile, type RestoreTarget, targetFor, type UndoFile } from './plan.ts';

export interface StepPlace extends WorkspacePlace {
  /** A blob by its sha256; throws if it is missing or damaged. */
  readBlob(hash: string): Uint8Array;
  /**
   * If a file's current content is someone else's, its earlier content is written beside it under a name with
   * this ending, and a missing file is restored. Left out: both are left alone.
   */
  readonly beside?: string;
}

export type UndoStep = {
  readonly path: string;
  /** The hash of its current content; `null`: missing or unknown. */
  readonly current: string | null;
} & (
  | { readonly do: 'nothing' }
  | { readonly do: 'leave'; readonly why: string }
  | {
      readonly do: 'restore';
      /** `null`: it did not exist. */
      readonly hash: string | null;
      readonly mode: number | undefined;
      /** True if the current content may be someone else's and is kept first. */
      readonly isKept?: boolean;
      /** The file to write to, if it is not the original one. */
      readonly beside?: string;
    }
);

export function stepFor(file: UndoFile, at: StepPlace): UndoStep {
  const { path, writes } = file;
  const place = placeOfFile(path, at);
  if (place === null) {
    const isGone = isBelowFile(path, at) && targetFor(file, null).hash === null;
    if (isGone) return { do: 'nothing', path, current: null };
    return { do: 'leave', path, current: null, why: ELSEWHERE };
  }
  const current = hashIfReadable(at.fs, place);
  if (current === 'unreadable')
    return { do: 'leave', path, current: null, why: 'the system does not let it be read' };
  const leave = (why: string): UndoStep => ({ do: 'leave', path, current, why });
  const target = targetFor(file, current);
  const isOther = current === null && infoOf(at.fs, place) !== null;
  if (isOther && target.kind !== 'there_already') return leave('it is not a file any more');
  const { hash, mode } = target;
  if (at.beside !== undefined && target.kind !== 'there_already')
    return besideStep({ path, current, target }, at, at.beside);
  switch (target.kind) {
    case 'never_written':
      return leave(
        writes.some(({ isRemnant }) => isRemnant) ? whyUncertain(file, at) : 'it was never written',
      );
    case 'changed_since':
      return leave(current === null ? 'it was removed since' : 'it was changed since');
    case 'there_already': {
      const hasOtherMode = mode !== undefined && infoOf(at.fs, place)?.mode !== mode;
      return hasOtherMode && !isOther && at.fs.platform !== 'win32'
        ? { do: 'restore', path, current, hash, mode }
        : { do: 'nothing', path, current };
    }
    case 'restore': {
      const isKept = writes.at(-1)?.by === 'command';
      return { do: 'restore', path, current, hash, mode, isKept };
    }
    default:
      return target.kind satisfies never;
  }
}

const isBelowFile = (path: string, at: StepPlace): boolean =>
  foldersAbove(path).some((folder) => {
    const place = placeOfFile(folder, at);
    return place !== null && infoOf(at.fs, place)?.kind === 'file';
  });

const ELSEWHERE = 'its folder leads somewhere else now';
export const MISSING_BLOB = 'its content is missing in the blobs';

/**
 * Why it is uncertain what to restore: only a damaged line mentions the file, and the file's content differs
 * from that line.
 */
function whyUncertain({ writes }: UndoFile, at: StepPlace): string {
  const before = writes.findLast(({ before: hash }) => hash !== null && blobOf(hash, at) !== null);
  const kept = before?.before ? `; a former content is in blobs/${before.before}` : '';
  return `only a damaged part of the journal tells of it, and it holds something else${kept}`;
}

interface StepFacts {
  readonly path: string;
  readonly current: string | null;
  readonly target: RestoreTarget;
}

function besideStep({ path, current, target }: StepFacts, at: StepPlace, ending: string): UndoStep {
  const { hash, mode } = target;
  if (current === hash) return { do: 'nothing', path, current };
  const leave = (why: string): UndoStep => ({ do: 'leave', path, current, why });
  const isOurs = target.kind === 'restore';
  if (hash === null && !isOurs) return leave('it was changed since');
  if (hash !== null && blobOf(hash, at) === null)
    return leave('what it held before is not kept any more');
  const back: UndoStep = { do: 'restore', path, current, hash, mode };
  if (hash === null || isOurs || current === null) return back;
  const free = freeName({ path, ending }, hash, at);
  if (free === null) return leave('no file with what it held before can be written beside it');
  const { name, isThere } = free;
  return isThere ? leave(`what it held before is in ${name}`) : { ...back, beside: name };
}

const MAX_BESIDE = 100;

/** A file that already has this content was written there before. `null`: no name is free. */
function freeName(
  { path, ending }: { readonly path: string; readonly ending: string },
  hash: string,
  at: StepPlace,
): { readonly name: string; readonly isThere: boolean } | null {
  for (let count = 1; count <= MAX_BESIDE; count += 1) {
    const name = withEnding(path, count === 1 ? ending : `${ending}.${count}`);
    const place = placeOfFile(name, at);
    if (place === null) return null;
    const current = hashIfReadable(at.fs, place);
    if (current === hash) return { name, isThere: true };
    if (current === null && infoOf(at.fs, place) === null) return { name, isThere: false };
  }
  return null;
}

/** A larger content that a command left is not kept, because it may be as large as the disk. */
export const MAX_SAVED_BYTES = 50 * 1024 * 1024;

/** Durable when it returns. */
export function carryOut(
  step: UndoStep,
  at: StepPlace & { storeBlob(bytes: Uint8Array): string },
): RestoredFile {
  const { path, current } = step;
  const skip = (skipped: string): RestoredFile => ({ path, hash: current, skipped });
  if (step.do === 'nothing') return { ...skip(''), isAsBefore: true };
  if (step.do === 'leave') return skip(step.why);
  const { hash, mode, isKept = false, beside = path } = step;
  const place = placeOfFile(beside, at);
  if (place === null) return skip(ELSEWHERE);
  const info = isKept ? infoOf(at.fs, place) : null;
  const isSmall = info !== null && info.size <= MAX_SAVED_BYTES;
  const replaced = isSmall ? at.storeBlob(readBytes(at.fs, place)) : undefined;
  const refusal = hash === null ? removed(at.fs, place) : putBack({ place, hash, mode }, at);
  if (refusal !== null) return skip(refusal);
  return { path, hash, skipped: '', ...(replaced === undefined ? {} : { replaced }) };
}

/** Why it could not be done, or `null`. */
function putBack(
  {
    place,
    hash,
    mode,
  }: { readonly place: string; readonly hash: string; readonly mode: number | undefined },
  at: StepPlace,
): string | null {
  const bytes = blobOf(hash, at);
  if (bytes === null) return MISSING_BLOB;
  // These folders were removed together with a file that the run deleted.
  const createdDirs = missingAbove(at.fs, at.workspace, place);
  const code = putFile(at.fs, {
    absolute: place,
    bytes,
    createdDirs,
    ...(mode === undefined ? {} : { mode }),
  });
  return code === null ? null : `the system does not let it be written (${code})`;
}

function removed(fs: FileSystem, place: string): string | null {
  try {
    removeFile(fs, place);
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `the system does not let it be removed (${errorCode(error)})`;
  }
}

/** `null` if it is missing or damaged. */
export function blobOf(hash: string, at: Pick<StepPlace, 'readBlob'>): Uint8Array | null {
  try {
    const bytes = at.readBlob(hash);
    return sha256(bytes) === hash ? bytes : null;
  } catch (error) {
    const isGone = error instanceof TardigradeError && error.code === 'E_JOURNAL_CORRUPT';
    if (isGone || errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
