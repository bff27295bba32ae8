/** The programs of installed packages. Pure, except for the view of the folder that it is given. */
import type { ProgramFolder } from '../../processes/programs/program-finder.ts';
import { installedPrograms } from './scripts.ts';

export const INSTALLED: ProgramFolder = {
  root: 'node_modules',
  programs: 'node_modules/.bin',
  declares: (view) => {
    const manifests = new Map<string, readonly string[]>();
    for (const { program, manifest } of installedPrograms(view))
      manifests.set(program, [...(manifests.get(program) ?? []), manifest]);
    return (name) => manifests.get(name) ?? null;
  },
};
