/** A change of files as one action: plan it, keep the images, check again, make the change. */

import { defined } from '../../lib/defined.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { type Interruptible, RUN_WITHOUT_PAUSES, runSync } from '../../lib/interruptible.ts';
import { sha256 } from '../../lib/sha256.ts';
import type { FileChange, ToolResult } from '../../schema/actions.ts';
import {
  type Applied,
  applyChanges,
  contentAt,
  type PlacedChange,
} from '../../workspace/change-set.ts';
import { hashFile, hashIfReadable, missingAbove } from '../../workspace/files.ts';
import type { Prepared, ToolContext } from '../contract.ts';
import { failed, refused } from '../result.ts';
import { countingLines } from './line-counts.ts';
import { type LocatedPath, locatePath } from './workspace-path.ts';

/** The wanted state of one path. */
export interface WantedChange {
  readonly place: LocatedPath;
  /** The current content; `null`: no file. */
  readonly before: Uint8Array | null;
  /** `null`: the file is removed. */
  readonly after: Uint8Array | null;
  readonly modeAfter?: number | undefined;
  /** Relative path of the file whose content this one takes over. */
  readonly from?: string;
  readonly folder?: 'made' | 'removed';
  /** What the change loses, if that is much and the model insisted. */
  readonly drops?: string | undefined;
}

/** Prepares changes in one go; for changes without long contents of their own. */
export const prepareChanges = (
  context: ToolContext,
  wanted: readonly WantedChange[],
  done: (files: readonly FileChange[]) => ToolResult,
): Prepared => runSync(preparingChanges(context, wanted, done));

/** Does work on files that may be long, so that it can be interrupted. */
export const inPieces = <Value>(context: ToolContext, work: Interruptible<Value>): Promise<Value> =>
  (context.runInterruptibly ?? RUN_WITHOUT_PAUSES)(work);

/**
 * Keeps both the old and the new contents, so that a crash between two files leaves no doubt. Stopping between
 * two pieces changes nothing, except that an image may have been kept.
 * @param isRepeatable if the same call makes the same content anew, so that the new one need not be kept
 */
export function* preparingChanges(
  context: ToolContext,
  wanted: readonly WantedChange[],
  done: (files: readonly FileChange[]) => ToolResult,
  isRepeatable = false,
): Interruptible<Prepared> {
  const clash = clashOf(context, wanted);
  if (clash !== null) return refused(clash);
  for (const { place, before, after } of wanted) {
    const keys = after === null ? null : (context.keyRefusal?.(before, after) ?? null);
    if (keys !== null) return refused(`${place.relative} was left as it was: ${keys}`);
    yield;
  }
  const images = yield* storedImages(context, wanted, isRepeatable);
  const placed: PlacedChange[] = [];
  for (const one of wanted) {
    const { absolute } = one.place;
    const folders =
      one.after === null && one.folder !== 'made' ? [] : foldersAbove(context, absolute);
    const change = yield* changeOf(context, one, folders, (bytes) => images.hashOf(bytes));
    placed.push({ change, absolute, folders });
  }
  const files = placed.map(({ change }) => change);
  return {
    kind: 'ready',
    files,
    contents: wanted.map(({ place, before, after }) => ({ path: place.relative, before, after })),
    perform: async () => {
      for (const [at, one] of placed.entries()) {
        const moved = movedReason(context, one, wanted[at]?.before ?? null);
        if (moved !== null) return moved;
      }
      const { bytesOf } = images;
      const applied = applyChanges(
        placed.filter((one) => isOther(one.change)),
        { fs: context.fs, bytesOf },
      );
      return applied.kind === 'done' ? done(files) : refusedSet(context, files, applied);
    },
  };
}

interface Images {
  hashOf(bytes: Uint8Array | null): string | null;
  bytesOf(hash: string): Uint8Array;
}

/** Every content before and after, each kept once at most. */
function* storedImages(
  context: ToolContext,
  wanted: readonly WantedChange[],
  isRepeatable: boolean,
): Interruptible<Images> {
  const old = new Set(wanted.map(({ before }) => before));
  const hashes = new Map<Uint8Array, string>();
  const contents = new Map<string, Uint8Array>();
  for (const bytes of wanted.flatMap(({ before, after }) => [before, after])) {
    if (bytes === null || hashes.has(bytes)) continue;
    const hash = sha256(bytes);
    yield;
    if (!contents.has(hash) && (!isRepeatable || old.has(bytes))) context.storeBlob(bytes);
    hashes.set(bytes, hash);
    contents.set(hash, bytes);
    yield;
  }
  return {
    hashOf: (bytes) => (bytes === null ? null : (hashes.get(bytes) ?? sha256(bytes))),
    bytesOf: (hash) => contents.get(hash) ?? new Uint8Array(),
  };
}

/** Missing folders above a place, outermost first, absolute. */
export const foldersAbove = ({ fs, workspace }: ToolContext, absolute: string): readonly string[] =>
  missingAbove(fs, workspace, absolute);

const isOther = ({ before, after, folder, mode, modeAfter }: FileChange): boolean =>
  folder !== undefined || before !== after || (modeAfter !== undefined && modeAfter !== mode);

function* changeOf(
  context: ToolContext,
  { place, before, after, modeAfter, from, folder, drops }: WantedChange,
  folders: readonly string[],
  imageOf: (bytes: Uint8Array | null) => string | null,
): Interruptible<FileChange> {
  const isCounted = after !== null && from === undefined;
  const lines = isCounted ? yield* countingLines(before, after) : null;
  return {
    path: place.relative,
    before: imageOf(before),
    after: imageOf(after),
    ...(place.info === null ? {} : { mode: place.info.mode }),
    ...defined({ modeAfter, from, folder }),
    ...(folders.length === 0
      ? {}
      : { createdDirs: folders.map((one) => relativeOf(context, one)) }),
    ...defined({ drops, lines: lines ?? undefined }),
  };
}

export const relativeOf = ({ fs, workspace }: ToolContext, absolute: string): string => {
  const paths = pathsOf(fs.platform);
  return paths.relative(workspace, absolute).split(paths.sep).join('/');
};

/**
 * Why a prepared change no longer fits what is on disk; `null`: it does. Checked immediately before the
 * change, because links may now lead elsewhere. Throws what the disk throws, because then the content is
 * unknown.
 */
function movedReason(
  context: ToolContext,
  placed: PlacedChange,
  before: Uint8Array | null,
): ToolResult | null {
  const { path } = placed.change;
  const now = locatePath(context, path, true);
  if (now.kind === 'no_place') return failed(now.reason);
  if (now.absolute === placed.absolute && isAsBefore(context.fs, placed, { ...now, before }))
    return null;
  const words = `${path} changed while it was to be changed. Read it again with read_file.`;
  return failed(words, 'conflict');
}

function isAsBefore(
  fs: ToolContext['fs'],
  { change, absolute }: PlacedChange,
  { info, before }: Pick<LocatedPath, 'info'> & Pick<WantedChange, 'before'>,
): boolean {
  if (change.folder !== undefined) return contentAt(fs, change, absolute) === 'before';
  if (info === null || before === null) return info === null && before === null;
  // The size is compared first, so that a file which has grown without end is not read.
  if (info.size !== before.length || hashFile(fs, absolute) !== change.before) return false;
  const hasMode = change.modeAfter === undefined || info.mode === change.mode;
  return hasMode || fs.platform === 'win32';
}

/** Two changes of which one would undo the other, in words; `null`: none. */
function clashOf({ fs }: ToolContext, wanted: readonly WantedChange[]): string | null {
  const fold = (name: string): string => (fs.platform === 'linux' ? name : name.toLowerCase());
  const names = new Map<string, string>();
  for (const { place } of wanted) {
    const other = names.get(fold(place.relative));
    if (other !== undefined) return `${other} is named twice. Name each file once.`;
    names.set(fold(place.relative), place.relative);
  }
  const files = wanted.filter(({ after }) => after !== null).map(({ place }) => place.relative);
  const below = files.find((one) => files.some((other) => one.startsWith(`${other}/`)));
  return below === undefined ? null : `${below} cannot be below a file. Nothing was changed.`;
}

/** Why the system refused to write, by its error code. */
export const refusalWords = (code: string): string =>
  ['EACCES', 'EPERM', 'EROFS'].includes(code)
    ? 'the system does not permit it'
    : code === 'EBUSY'
      ? 'another program holds it open'
      : `the system answered ${code}`;

/** The message for the model when the system refused one of the changes. */
export function refusedSet(
  { fs, workspace }: ToolContext,
  files: readonly FileChange[],
  { path: refusedPath, code, left }: Extract<Applied, { kind: 'refused' }>,
): ToolResult {
  const rest =
    left.length === 0
      ? files.length === 1 && files[0]?.after !== null
        ? 'Write another file instead.'
        : 'Nothing was changed.'
      : `These could not be put back and are changed: ${left.join(', ')}.`;
  const { join } = pathsOf(fs.platform);
  const hashes = files
    .filter(({ folder }) => folder === undefined)
    .map((file): [string, string | null] => [
      file.path,
      left.includes(file.path) ? file.after : hashNow(fs, join(workspace, file.path), file),
    ]);
  return {
    ...failed(`${refusedPath} was not changed: ${refusalWords(code)}. ${rest}`),
    hashes: Object.fromEntries(hashes),
  };
}

function hashNow(fs: ToolContext['fs'], absolute: string, { before }: FileChange): string | null {
  const hash = hashIfReadable(fs, absolute);
  return hash === 'unreadable' ? before : hash;
}

/** The facts of a finished change. */
export const changeFacts = (
  files: readonly FileChange[],
): Pick<ToolResult, 'facts' | 'hashes'> => ({
  facts: { changed: files.some(isOther) },
  hashes: Object.fromEntries(
    files.flatMap(({ folder, path, after }) => (folder === undefined ? [[path, after]] : [])),
  ),
});
