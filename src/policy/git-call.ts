/** The parts of a git command line, and the files that its words name. Pure. */
import type { CommandRuleOptions } from '../languages/commands/command-rule.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';

const TAKES_VALUE =
  /^(?:-C|-c|--(?:git-dir|work-tree|namespace|config-env|attr-source|super-prefix))$/;

/** A git command line: the words before the command, the command, and the words after it. */
export function gitCall(args: readonly string[]) {
  let at = 0;
  while (args[at]?.startsWith('-'))
    at += TAKES_VALUE.test(args[at] ?? '') && args[at + 1] !== undefined ? 2 : 1;
  return { before: args.slice(0, at), command: args[at], rest: args.slice(at + 1) };
}

/** Where git works after one more `-C`. */
export function inFolder(
  folder: string,
  target: string,
  { platform }: Pick<CommandRuleOptions, 'platform'>,
): string {
  const paths = pathsOf(platform);
  return folder === '' || paths.isAbsolute(target) ? target : paths.join(folder, target);
}

/**
 * The files that a word may name. The path in `REVISION:FILE` counts from the root of the repository, and with a
 * dot from the folder where git works.
 */
export function namedBy(
  word: string,
  folder: string,
  place: Pick<CommandRuleOptions, 'platform' | 'repositoriesAt'>,
): readonly string[] {
  const file = word.slice(word.lastIndexOf(':') + 1);
  if (file === '') return [];
  const isFromRoot = file !== word && !/^\.\.?(?:\/|$)/.test(file);
  return isFromRoot
    ? (place.repositoriesAt?.(folder) ?? []).map((root) => inFolder(root, file, place))
    : [inFolder(folder, file, place)];
}
