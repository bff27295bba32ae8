/**
 * Restores files to their state before a command, each separately, and only if the content that the command
 * left is still there. A file that still begins with all that it held has lost nothing and is left alone.
 */

import { TardigradeError } from '../../lib/errors.ts';
import { isDiskFull } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import type { FileChange } from '../../schema/actions.ts';
import { applyChanges, contentAt } from '../change-set.ts';
import { missingAbove, readBytes } from '../files.ts';
import { resolveInWorkspace } from '../jail.ts';

export interface PutBackDeps {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  /** A content by its sha256; throws if it is not kept. */
  read(hash: string): Uint8Array;
  keep(bytes: Uint8Array): void;
}

/**
 * Returns the changes that were made; the content that the command had left is kept. Throws E_DISK_FULL and
 * E_IO.
 * @param changes as the command made them
 */
export const putBackFiles = (
  changes: readonly FileChange[],
  deps: PutBackDeps,
): readonly FileChange[] => changes.flatMap((change) => putBackFile(change, deps) ?? []);

function putBackFile(
  { path, before, after, mode }: FileChange,
  { fs, workspace, read, keep }: PutBackDeps,
): FileChange | null {
  const place = resolveInWorkspace(fs, workspace, path, { platform: fs.platform, forWrite: true });
  // If a link leads elsewhere now, or a file replaced its folder, the file is only named.
  if (place.kind === 'refused' || place.relative !== path || before === null) return null;
  const { absolute } = place;
  const back: FileChange = { path, before: after, after: before, modeAfter: mode };
  const bytes = orNull(() => read(before));
  if (bytes === null) return null;
  try {
    if (contentAt(fs, { path, before: after, after: before }, absolute) !== 'before') return null;
    if (after !== null) {
      const now = readBytes(fs, absolute);
      if (now.subarray(0, bytes.length).equals(bytes)) return null;
      keep(now);
    }
    const folders = missingAbove(fs, workspace, absolute);
    const placed = { change: back, absolute, folders };
    const applied = applyChanges([placed], { fs, bytesOf: () => bytes });
    return applied.kind === 'done' ? back : null;
  } catch (error) {
    if (error instanceof TardigradeError || isDiskFull(error)) throw error;
    return null;
  }
}
