/** Copies of the before-images of a run or conversation, kept outside the workspace. */
import type { Journal } from '../journal/journal.ts';
import type { Layout } from '../journal/layout.ts';
import type { AnyRecord } from '../journal/record-format.ts';
import type { Clock } from '../lib/clock.ts';
import { isInside } from '../lib/files/absolute-paths.ts';
import type { FileSystem } from '../lib/files/file-system.ts';
import type { ProcessIdentity } from '../lib/process-identity.ts';
import type { BeforeImageOwner } from '../schema/journal/before-image-copies.ts';
import { type BeforeImageCopies, CopyWriter } from '../workspace/before-images/copies.ts';

interface CopyOptions {
  /** Absolute; `null`: no copies are kept. */
  readonly backupFolder: string | null;
  readonly machine: {
    readonly fs: FileSystem;
    readonly identity: ProcessIdentity;
    readonly clock: Clock;
  };
}

/** `null` if no copies are wanted, or if the folder lies in the workspace, where the run would see it. */
export function beforeImageCopiesOf<R extends AnyRecord>(
  { backupFolder, machine }: CopyOptions,
  about: Omit<BeforeImageOwner, 'version' | 'owner' | 'isUndone'>,
  { journal, layout }: { readonly journal: Journal<R>; readonly layout: Pick<Layout, 'blobs'> },
  warn: (text: string) => void,
): BeforeImageCopies | null {
  const { fs, identity, clock } = machine;
  if (backupFolder === null || isInside(about.workspace, backupFolder, fs.platform)) return null;
  return new CopyWriter({
    fs,
    about,
    identity,
    warn,
    root: backupFolder,
    now: () => clock.now(),
    blobs: journal.blobs,
    blobsFolder: layout.blobs,
  });
}
