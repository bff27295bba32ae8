/** How tools use the jail, and how they report that a file may not be touched. */
import { isCache } from '../../languages/languages.ts';
import type { FileInfo } from '../../lib/files/file-system.ts';
import { sha256 } from '../../lib/sha256.ts';
import { shortened } from '../../lib/text/shortened.ts';
import { infoOf, readBytes } from '../../workspace/files.ts';
import { resolveInWorkspace } from '../../workspace/jail.ts';
import { nearPaths } from '../../workspace/near-names.ts';
import type { ToolContext } from '../contract.ts';

/** Characters of a path in a refusal; the writer of a longer one recognises its beginning. */
const MAX_SHOWN = 200;

export interface LocatedPath {
  readonly kind: 'place';
  readonly absolute: string;
  readonly relative: string;
  readonly info: FileInfo | null;
}

export interface RefusedPath {
  readonly kind: 'no_place';
  readonly reason: string;
}

/** The place that a model's path names, examined once. */
export function locatePath(
  context: ToolContext,
  modelPath: string,
  forWrite: boolean,
): LocatedPath | RefusedPath {
  const { fs, workspace } = context;
  const options = { platform: fs.platform, forWrite };
  const resolved = resolveInWorkspace(fs, workspace, modelPath, options);
  if (resolved.kind === 'refused') {
    return {
      kind: 'no_place',
      reason: `${shortened(modelPath, MAX_SHOWN)} is refused: ${resolved.reason}.`,
    };
  }
  const { absolute, relative } = resolved;
  return { kind: 'place', absolute, relative, info: infoOf(fs, absolute) };
}

/** The same for a file or folder that must be there. @param modelPath empty: the workspace */
export function locateExisting(context: ToolContext, modelPath: string): LocatedPath | RefusedPath {
  const place = locatePath(context, modelPath || '.', false);
  return place.kind === 'no_place' || place.info !== null
    ? place
    : { kind: 'no_place', reason: missing(context, place.relative) };
}

/** The same for a file that a tool wants to read. */
export function locateFile(context: ToolContext, modelPath: string): LocatedPath | RefusedPath {
  const place = locatePath(context, modelPath, false);
  if (place.kind === 'no_place' || place.info?.kind === 'file') return place;
  return { kind: 'no_place', reason: notAFile(context, place) };
}

/** Larger files are neither edited nor replaced, because both hold them in memory and keep their earlier content. */
const MAX_CHANGED_BYTES = 16 * 1024 * 1024;

export const isTooLarge = (bytes: number): boolean => bytes > MAX_CHANGED_BYTES;

/** Why a file of that size is not changed. */
export const fileTooLarge = (relative: string, bytes: number): string =>
  `${relative} has ${bytes.toLocaleString('en')} bytes, and no file over ${MAX_CHANGED_BYTES / 1024 / 1024} MB is changed here. Write a program that changes it.`;

/**
 * An existing file and its bytes for a change of a part of it; or why it is not changed. @param ifMissing
 * text to add if the file is missing
 */
export function fileToChange(context: ToolContext, modelPath: string, ifMissing = '') {
  const place = locatePath(context, modelPath, true);
  if (place.kind === 'no_place') return place.reason;
  if (place.info === null) return missing(context, place.relative) + ifMissing;
  if (place.info.kind !== 'file') return notAFile(context, place);
  const before = bytesToChange(context, place);
  return typeof before === 'string' ? before : { place, before, mode: place.info.mode };
}

/** The bytes of a file that is to be changed, or a message why they are not read. */
export function bytesToChange(
  context: ToolContext,
  { absolute, relative, info }: LocatedPath,
): Buffer | string {
  const size = info?.size ?? 0;
  if (isTooLarge(size)) return fileTooLarge(relative, size);
  const bytes = readBytes(context.fs, absolute, MAX_CHANGED_BYTES);
  return bytes ?? `${relative} grows while it is read. Try again when nothing writes to it.`;
}

export function notAFile(context: ToolContext, place: LocatedPath): string {
  if (place.info === null) return missing(context, place.relative);
  return place.info.kind === 'directory'
    ? `${place.relative} is a folder; list_dir shows what is in it.`
    : `${place.relative} is no regular file.`;
}

export function missing(context: ToolContext, relative: string): string {
  const near = nearPaths(context.fs, context.workspace, relative, isCache);
  const hint =
    near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ' list_dir shows what is there.';
  return `There is no ${relative}.${hint}`;
}

/** Why a file must not be written now: its content was not read. `null`: it may be written. */
export function unreadReason(
  context: ToolContext,
  relative: string,
  current: string | null,
): string | null {
  const known = context.lastKnownHash(relative);
  if (known === current) return null;
  if (known !== undefined)
    return `${relative} changed since it was last read. Read it again with read_file, then change it.`;
  return current === null
    ? null
    : `${relative} exists already and was not read yet. Read it with read_file first.`;
}

/**
 * Why text that does not occur exactly once must not be changed; `null`: the model saw nothing outdated of the
 * file.
 */
export function staleReason(
  context: ToolContext,
  relative: string,
  before: Uint8Array,
): string | null {
  if (context.lastKnownHash(relative) === undefined) return null;
  return unreadReason(context, relative, sha256(before));
}
