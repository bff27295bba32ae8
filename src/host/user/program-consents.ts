/** What a person said of the programs of a project's folders: kept and signed as what is said of its servers is. */

import { TardigradeError } from '../../lib/errors.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { ProgramConsents } from '../../round/permission/folder-trust.ts';
import type { OriginKeys } from '../journals/origin-key.ts';
import { serverConsents } from './server-consents.ts';

/** @param say what cannot be kept counts this time, and is asked again */
export function programConsents(
  place: { readonly fs: FileSystem; readonly dataFolder: string; readonly keys: OriginKeys },
  workspace: string,
  say: (text: string) => void,
): ProgramConsents {
  const kept = serverConsents(place, 'programs');
  return {
    isSaved: ({ root, stamp }) => kept.of({ workspace, name: root, definition: stamp }) === 'yes',
    save: ({ root, stamp }) => {
      try {
        kept.save({ workspace, name: root, definition: stamp }, true);
      } catch (error) {
        if (!(error instanceof TardigradeError)) throw error;
        say(`${error.message} It counts this time. ${error.hint}`);
      }
    },
  };
}
