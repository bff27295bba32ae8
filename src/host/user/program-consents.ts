/**
 * What a person decided about the programs in a project's folders: stored and signed like decisions about its servers.
 */

import { TardigradeError } from '../../lib/errors.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { ProgramConsents } from '../../round/permission/folder-trust.ts';
import type { OriginKeys } from '../journals/origin-key.ts';
import { serverConsents } from './server-consents.ts';

export function programConsents(
  place: { readonly fs: FileSystem; readonly dataFolder: string; readonly keys: OriginKeys },
  workspace: string,
  say: (text: string) => void,
): ProgramConsents {
  const kept = serverConsents(place, 'programs');
  return {
    isSaved: ({ root, stamp }) => kept.of({ workspace, name: root, definition: stamp }) === 'yes',
    save: ({ root, stamp }) =>
      keep(() => kept.save({ workspace, name: root, definition: stamp }, true), say),
  };
}

/** An answer that cannot be saved counts this time and is asked for again. */
export function keep(write: () => void, say: (text: string) => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    say(`${error.message} It counts this time. ${error.hint}`);
  }
}
