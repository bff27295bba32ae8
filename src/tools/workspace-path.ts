/** How tools ask the jail, and how they say that a file is not what they may touch. */
import path from 'node:path';
import { isCache } from '../languages/languages.ts';
import type { FileInfo } from '../lib/file-system.ts';
import type { ActionStatus } from '../schema/actions.ts';
import { folderOf, hashFile, infoOf } from '../workspace/files.ts';
import { resolveInWorkspace } from '../workspace/jail.ts';
import { nearPaths } from '../workspace/near-names.ts';
import type { ToolContext } from './contract.ts';

export interface Place {
  readonly kind: 'place';
  readonly absolute: string;
  readonly relative: string;
  readonly info: FileInfo | null;
}

export interface NoPlace {
  readonly kind: 'no_place';
  readonly reason: string;
}

/** The place a model's path names, looked at once. */
export function locate(
  context: ToolContext,
  modelPath: string,
  forWrite: boolean,
): Place | NoPlace {
  const { fs, workspace } = context;
  const options = { platform: fs.platform, forWrite };
  const resolved = resolveInWorkspace(fs, workspace, modelPath, options);
  if (resolved.kind === 'refused') {
    return { kind: 'no_place', reason: `${modelPath} is refused: ${resolved.reason}.` };
  }
  const { absolute, relative } = resolved;
  return { kind: 'place', absolute, relative, info: infoOf(fs, absolute) };
}

/** The same for a file a tool wants to read. */
export function locateFile(context: ToolContext, modelPath: string): Place | NoPlace {
  const place = locate(context, modelPath, false);
  if (place.kind === 'no_place' || place.info?.kind === 'file') return place;
  return { kind: 'no_place', reason: notAFile(context, place) };
}

export function notAFile(context: ToolContext, place: Place): string {
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

/** Why a file must not be written now: nobody read what it holds. `null`: it may. */
export function unreadReason(
  context: ToolContext,
  relative: string,
  current: string | null,
): string | null {
  const known = context.lastKnownHash(relative);
  if (known === current) return null;
  if (known !== undefined) {
    return `${relative} changed since it was last read. Read it again with read_file, then change it.`;
  }
  return current === null
    ? null
    : `${relative} exists already and was not read yet. Read it with read_file first.`;
}

/** Why a prepared change no longer fits what is on disk. `null`: it does. */
export function movedReason(
  context: ToolContext,
  place: Place,
  before: string | null,
): { readonly reason: string; readonly status: ActionStatus } | null {
  const now = locate(context, place.relative, true);
  if (now.kind === 'no_place') return { reason: now.reason, status: 'error' };
  if (now.absolute === place.absolute && hashFile(context.fs, place.absolute) === before)
    return null;
  const reason = `${place.relative} changed while it was to be written. Read it again with read_file.`;
  return { reason, status: 'conflict' };
}

/** Missing folders above a place, outermost first, relative and absolute. */
export function missingFolders(
  context: ToolContext,
  place: Place,
): readonly { readonly absolute: string; readonly relative: string }[] {
  const folders: { absolute: string; relative: string }[] = [];
  let absolute = folderOf(context.fs, place.absolute);
  let relative = path.posix.dirname(place.relative);
  while (relative !== '.' && infoOf(context.fs, absolute) === null) {
    folders.unshift({ absolute, relative });
    absolute = folderOf(context.fs, absolute);
    relative = path.posix.dirname(relative);
  }
  return folders;
}
