import path from 'node:path';
import { plainCommandName } from './allowed-commands.ts';

/** The name of a program: no folder, no `.exe`, and no version if a language says so. */
export function programName(program: string, platform: NodeJS.Platform): string {
  const base = platform === 'win32' ? path.win32.basename(program) : path.posix.basename(program);
  return plainCommandName(base.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, ''));
}
