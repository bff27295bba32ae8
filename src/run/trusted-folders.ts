/** The folders of programs that a workspace may hold, as far as they may be used. */
import { join } from 'node:path';
import { PROGRAMS } from '../languages/programs.ts';
import {
  type FolderPlace,
  type FolderProgram,
  type FoundFolder,
  programFolders,
} from '../processes/folder-programs.ts';
import type { TrustedFolder } from '../processes/locate.ts';

/** Whether a program of a folder may be run, as it is now. */
export type MayRun = (program: FolderProgram) => boolean;

/** For what has nobody's leave. */
export const NOTHING_HERE: MayRun = () => false;

export const foldersIn = (place: Omit<FolderPlace, 'known'>): readonly FoundFolder[] =>
  programFolders({ ...place, known: PROGRAMS });

export const trustedFolders = (
  place: Omit<FolderPlace, 'known'>,
  mayRun: MayRun,
): readonly TrustedFolder[] =>
  mayRun === NOTHING_HERE
    ? []
    : foldersIn(place).map(({ folder, variables, program, programs, holdsOthers }) => ({
        ...{ folder, variables },
        serves: (name) => {
          const found = program(name);
          return found !== null && mayRun(found);
        },
        // One that is shared with other names would put these before PATH, too.
        isForChildren: () => programs().some(mayRun) && !holdsOthers(),
      }));

/** @param hasWritten whether a tool of the run wrote at or below an absolute folder */
export const unlessWritten =
  (hasWritten: (folder: string) => boolean, workspace: string): MayRun =>
  ({ root }) =>
    !hasWritten(join(workspace, root));
