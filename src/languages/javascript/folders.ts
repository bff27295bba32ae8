/** The programs that installed packages bring. Pure but for the look that it is given. */
import type { FolderLook, ProgramFolder } from '../../processes/program-finder.ts';
import { installedPrograms } from './scripts.ts';

export const INSTALLED: ProgramFolder = {
  root: 'node_modules',
  programs: 'node_modules/.bin',
  declares: (name, look) => packagesWith(name, look),
};

function packagesWith(name: string, look: FolderLook): readonly string[] | null {
  const found = installedPrograms(look).filter(({ program }) => program === name);
  return found.length === 0 ? null : found.map(({ manifest }) => manifest);
}
