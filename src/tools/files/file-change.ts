/** The replacement of one file as an action: plan it, check again, write. */
import { errorCode } from '../../lib/files/durable-files.ts';
import type { Interruptible } from '../../lib/interruptible.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import { hashFile, putFile } from '../../workspace/files.ts';
import type { Prepared, ToolContext } from '../contract.ts';
import { failed, refused } from '../result.ts';
import { countingLines } from './line-counts.ts';
import { type LocatedPath, missingFolders, movedReason } from './workspace-path.ts';

export interface Replacement {
  readonly place: LocatedPath;
  /** The current content; `null`: no file. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
  /** What the change loses, if that is much and the model insisted. */
  readonly drops?: string;
}

/**
 * Keeps the before-image and returns the planned change; `done` builds the result afterwards. Stopping between
 * two pieces changes nothing, except that an image may have been kept.
 */
export function* prepareReplacement(
  context: ToolContext,
  replacement: Replacement,
  done: (files: readonly FileChange[]) => ToolResult,
): Interruptible<Prepared> {
  yield;
  const { place, after, drops } = replacement;
  const keys = context.keyRefusal?.(replacement.before, after) ?? null;
  if (keys !== null) return refused(`${place.relative} was left as it was: ${keys}`);
  yield;
  const afterHash = sha256(after);
  const before = replacement.before === null ? null : sha256(replacement.before);
  // Even if nothing changes, every content that a record names is kept.
  if (replacement.before !== null) context.storeBlob(replacement.before);
  yield;
  const folders = missingFolders(context, place);
  const lines = yield* countingLines(replacement.before, after);
  const change: FileChange = {
    path: place.relative,
    before,
    after: afterHash,
    ...(place.info === null ? {} : { mode: place.info.mode }),
    ...(folders.length === 0 ? {} : { createdDirs: folders.map((folder) => folder.relative) }),
    ...(drops === undefined ? {} : { drops }),
    ...(lines === null ? {} : { lines }),
  };
  return {
    kind: 'ready',
    files: [change],
    contents: [{ path: place.relative, before: replacement.before, after }],
    perform: async () => {
      const moved = movedReason(context, place, replacement.before);
      if (moved !== null) return failed(moved.reason, moved.status);
      const refusal =
        before === afterHash
          ? null
          : putFile(context.fs, {
              absolute: place.absolute,
              bytes: after,
              createdDirs: folders.map((folder) => folder.absolute),
              ...(place.info === null ? {} : { mode: place.info.mode }),
            });
      return refusal === null ? done([change]) : unwritable(context, place, refusal);
    },
  };
}

function unwritable(context: ToolContext, place: LocatedPath, code: string): ToolResult {
  return {
    ...failed(
      `${place.relative} was not written: ${refusalWords(code)}. Write another file instead.`,
    ),
    hashes: { [place.relative]: currentHash(context, place) },
  };
}

function currentHash(context: ToolContext, place: LocatedPath): string | null {
  try {
    return hashFile(context.fs, place.absolute);
  } catch (error) {
    if (errorCode(error) === '') throw error;
    return null;
  }
}

/** Why the system refused to write, by its error code. */
export const refusalWords = (code: string): string =>
  ['EACCES', 'EPERM', 'EROFS'].includes(code)
    ? 'the system does not permit it'
    : code === 'EBUSY'
      ? 'another program holds it open'
      : `the system answered ${code}`;

/** The facts of a finished replacement. */
export const changeFacts = (
  files: readonly FileChange[],
): Pick<ToolResult, 'facts' | 'hashes'> => ({
  facts: { changed: files.some((file) => file.before !== file.after) },
  hashes: Object.fromEntries(files.map((file) => [file.path, file.after])),
});
