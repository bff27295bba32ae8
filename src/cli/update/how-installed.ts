/** How this program was installed, judged by its location, and what updates it. Pure but for `isThere`. */
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import type { Terminal } from '../process/terminal.ts';

const PACKAGE = 'tardigrade-agent';
const NEWEST = `${PACKAGE}@latest`;

export interface Installed {
  readonly how: 'npx' | 'global' | 'project' | 'clone' | 'file';
  /** A phrase that follows "It is". */
  readonly about: string;
  /** The commands that update it, each as words; none if there is no command. */
  readonly commands: readonly (readonly string[])[];
  /** The folder to run them in; `null`: any. */
  readonly folder: string | null;
  /** What to do if no command does it. */
  readonly advice: string;
}

/** @param isThere whether a path exists */
export function howInstalled(
  { programFolder, single, platform }: Pick<Terminal, 'programFolder' | 'single' | 'platform'>,
  isThere: (path: string) => boolean,
): Installed {
  const { join, dirname, basename, sep } = pathsOf(platform);
  if (single !== undefined)
    return {
      ...{ how: 'file', about: `one file, ${single.file}`, commands: [], folder: null },
      advice: 'Replace the file with a newer one while it is not running.',
    };
  const own = dirname(join(programFolder, '.'));
  const around = dirname(own);
  if (programFolder.includes(`${sep}_npx${sep}`))
    return {
      ...{ how: 'npx', about: 'started by npx', commands: [['npx', NEWEST]], folder: null },
      advice: '',
    };
  if (basename(around) !== 'node_modules')
    return {
      ...{ how: 'clone', about: `a clone, in ${own}`, folder: own, advice: '' },
      commands: [
        ...(isThere(join(own, '.git')) ? [['git', 'pull']] : []),
        ['npm', 'ci'],
        ['npm', 'run', 'build'],
      ],
    };
  const project = dirname(around);
  if (isThere(join(project, 'package.json')))
    return {
      ...{ how: 'project', about: `a package of the project ${project}`, folder: project },
      ...{ commands: [['npm', 'install', NEWEST]], advice: '' },
    };
  return {
    ...{ how: 'global', about: `a global package of npm, in ${own}`, folder: null, advice: '' },
    commands: [['npm', 'install', '--global', NEWEST]],
  };
}

/** Asks the registry through npm. */
export const VIEW = ['view', PACKAGE, 'version'] as const;
