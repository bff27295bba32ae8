/** What may be removed from its place: a file, or an empty folder. */

import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { errorCode } from '../../lib/files/durable-files.ts';
import { orNull } from '../../lib/or-null.ts';
import { sha256 } from '../../lib/sha256.ts';
import { isRefusal } from '../../workspace/files.ts';
import { judgePath } from '../../workspace/path-rules.ts';
import type { ToolContext } from '../contract.ts';
import type { WantedChange } from './change-files.ts';
import {
  bytesToChange,
  type LocatedPath,
  locatePath,
  missing,
  unreadReason,
} from './workspace-path.ts';

interface NotRemoved {
  readonly status: 'error' | 'conflict';
  readonly reason: string;
}

export function planRemoval(context: ToolContext, modelPath: string): WantedChange | NotRemoved {
  const link = linkReason(context, modelPath);
  if (link !== null) return no(link);
  const place = locatePath(context, modelPath, true);
  if (place.kind === 'no_place') return no(place.reason);
  switch (place.info?.kind) {
    case undefined:
      return no(missing(context, place.relative));
    case 'file':
      return removedFile(context, place);
    case 'directory':
      return removedFolder(context, place);
    default:
      return no(`${place.relative} is no regular file; it is left alone.`);
  }
}

const no = (reason: string): NotRemoved => ({ status: 'error', reason });

function removedFile(context: ToolContext, place: LocatedPath): WantedChange | NotRemoved {
  const before = bytesIfReadable(context, place);
  if (typeof before === 'string') return no(before);
  // The file need not have been read, because its content can be restored.
  if (context.lastKnownHash(place.relative) !== undefined) {
    const unread = unreadReason(context, place.relative, sha256(before));
    if (unread !== null) return { status: 'conflict', reason: unread };
  }
  return { place, before, after: null };
}

function bytesIfReadable(context: ToolContext, place: LocatedPath): Buffer | string {
  try {
    return bytesToChange(context, place);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return `${place.relative} cannot be read (${errorCode(error)}), so it could not come back. It is left alone.`;
  }
}

function removedFolder({ fs }: ToolContext, place: LocatedPath): WantedChange | NotRemoved {
  const count = fs.readdir(place.absolute).length;
  if (count === 0) return { place, before: null, after: null, folder: 'removed' };
  const entries = count === 1 ? 'one entry' : `${count.toLocaleString('en')} entries`;
  return no(
    `${place.relative} is a folder with ${entries}; only an empty folder is moved or deleted. Name the files in it one by one.`,
  );
}

/** The jail follows links, so the removed file would not be the named one. */
function linkReason({ fs, workspace }: ToolContext, modelPath: string): string | null {
  const judged = judgePath(modelPath);
  if (judged.kind === 'refused') return null;
  const place = pathsOf(fs.platform).join(workspace, ...judged.segments);
  const isLink = orNull(() => fs.lstat(place))?.kind === 'symlink';
  return isLink ? `${modelPath} is a link; links are neither moved nor deleted here.` : null;
}
