/** Pure: the programs that a command starts: the one that it names, and those that this one runs. */

import { LANGUAGES } from '../languages.ts';
import type { CommandLine } from './command-rule.ts';
import { programName } from './program-name.ts';

export function programsNeeded(
  { program, args }: CommandLine,
  platform: NodeJS.Platform,
): readonly string[] {
  const name = programName(program, platform);
  return [program, ...LANGUAGES.flatMap(({ runs }) => runs?.runsBeside?.(name, args) ?? [])];
}
