import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { plainCommandName } from './allowed-commands.ts';

/** The name of a program: no folder, no `.exe`, and no version if a language says so. */
export function programName(program: string, platform: NodeJS.Platform): string {
  const base = pathsOf(platform).basename(program);
  return plainCommandName(base.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, ''));
}
