/** Which files a git command names whose content it would show. Pure. */
import type { CommandOptions } from './command/contract.ts';
import { gitCall, inFolder } from './git.ts';

type Place = Pick<CommandOptions, 'platform' | 'inWorkspace'>;

/**
 * Words that may name a file, from the folder of the command. The path in `REVISION:FILE` counts from the root of
 * the repository, which is the workspace, the folder itself, or unknown: both are named.
 */
export function gitPaths(args: readonly string[], place: Place): readonly string[] {
  const { before, rest } = gitCall(args);
  const folder = before.reduce(
    (at, arg, index) => (before[index - 1] === '-C' ? inFolder(at, arg, place) : at),
    '',
  );
  return rest
    .filter((arg) => !arg.startsWith('-') || /^-L.*:/s.test(arg))
    .flatMap((arg) => {
      const path = arg.slice(arg.lastIndexOf(':') + 1);
      if (path === '') return [];
      const isFromRoot = path !== arg && !/^\.\.?(?:\/|$)/.test(path);
      return [inFolder(folder, path, place), ...(isFromRoot ? [place.inWorkspace(path)] : [])];
    });
}
