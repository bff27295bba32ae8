/** What one call changed in a file, in the form an editor shows: the text before and after. */
import { isUtf8 } from 'node:buffer';
import type { ToolCallContent } from '@agentclientprotocol/sdk';
import { createBlobStore } from '../../journal/blobs/blobs.ts';
import { usableLayout } from '../../journal/layout.ts';
import { isSecretFile } from '../../languages/files/secret-files.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import type { FileChange } from '../../schema/actions.ts';
import { layoutOfSession } from '../../sessions/places.ts';
import { differenceMade } from '../../undo/differences.ts';

export interface EditPlace {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  /** The conversation that keeps the previous text; `null`: a run keeps it. */
  readonly session: string | null;
}

/** The limit for both texts together; a larger edit is described in words. */
const MAX_BYTES = 1024 * 1024;

/** `null` if the file has changed again since, is no text, or may hold keys. */
export function editShown(change: FileChange, place: EditPlace): ToolCallContent | null {
  const { fs, workspace } = place;
  if (isSecretFile(change.path)) return null;
  // The previous text is lost with its disk; the call is shown all the same.
  return orNull(() => {
    const { blobs } = layoutOf(place);
    const readBlob = (hash: string): Uint8Array => createBlobStore(fs, blobs).read(hash);
    const difference = differenceMade(change, { fs, workspace, readBlob });
    if (difference === null || difference.problem !== '') return null;
    const [before, after] = [difference.before, difference.after ?? new Uint8Array()];
    if ((before?.length ?? 0) + after.length > MAX_BYTES) return null;
    if (!isText(after) || (before !== null && !isText(before))) return null;
    return {
      type: 'diff',
      path: pathsOf(fs.platform).join(workspace, change.path),
      oldText: before === null ? null : textOf(before),
      newText: textOf(after),
    };
  });
}

const layoutOf = ({ fs, workspace, session }: EditPlace) =>
  session === null ? usableLayout(fs, workspace) : layoutOfSession(workspace, session);

const isText = (bytes: Uint8Array): boolean => isUtf8(bytes) && !bytes.includes(0);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');
