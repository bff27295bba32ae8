/** Which files a git command names, and whether it would show what they hold. Pure. */
import { anyFiles, filesInOptions } from './command/arguments.ts';
import type { CommandOptions, TouchedPath } from './command/contract.ts';
import { gitCall, inFolder, namedBy } from './git-call.ts';
import { gitLook, readGit, whatShows } from './git-tables.ts';

type Place = Pick<CommandOptions, 'platform' | 'exists' | 'repositoriesAt'>;

/** Paths relative to the command's folder. Every part of a word that is not understood may be a file. */
export function gitPaths(args: readonly string[], place: Place): readonly TouchedPath[] {
  const { before, command = '', rest } = gitCall(args);
  const folder = before.reduce(
    (at, arg, index) => (before[index - 1] === '-C' ? inFolder(at, arg, place) : at),
    '',
  );
  const look = gitLook(command);
  const read = readGit(command, rest);
  const named = (word: string): readonly string[] => namedBy(word, folder, place);
  if (look === undefined || read.unknown !== null)
    return anyFiles(rest).flatMap(named).map(content);
  const values = filesInOptions(read)
    .map((path) => inFolder(folder, path, place))
    .map(content);
  if (look.operands === 'texts') return values;
  const isContent = look.operands === 'content' && whatShows(command, read) !== 'names';
  // A bare object id names no path. It could show content without a file name, and `git-shown.ts` refuses
  // that.
  const words = read.operands.flatMap(({ word, isBehindEnd }) => {
    const isFile =
      isBehindEnd ||
      word.includes(':') ||
      command === 'blame' ||
      place.exists(inFolder(folder, word, place));
    return isFile ? named(word) : [];
  });
  return [...values, ...words.map((path) => (isContent ? content(path) : onlyName(path)))];
}

const content = (path: string): TouchedPath => ({ does: 'read', path });
const onlyName = (path: string): TouchedPath => ({ does: 'read', path, isOnlyName: true });
