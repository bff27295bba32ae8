/** Pure: commands of package managers, which change the programs in folders of a workspace. */
import { LANGUAGES } from '../languages.ts';
import { NO_BUILDS } from './command-rule.ts';
import { programName } from './program-name.ts';

export const installs = (
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  platform: NodeJS.Platform,
): boolean => {
  const name = programName(file, platform);
  return LANGUAGES.some(({ commands }) => commands?.installs?.(name, args) === true);
};

/** The program that a package manager would run from a folder of the workspace, unless it is a script; `null`: none. */
export function ranBeside(words: readonly string[], platform: NodeJS.Platform): string | null {
  const [program = '', ...args] = words;
  const name = programName(program, platform);
  for (const { commands } of LANGUAGES) {
    const inner = commands?.unwraps?.[name]?.(args, NO_BUILDS) ?? null;
    if (inner?.isFromFolder === true) return inner.words[0] ?? null;
  }
  return null;
}
