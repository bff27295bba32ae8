/** The files and folders that one program of a command would read or change. Pure. */
import { pathsIn } from '../../languages/command-rule.ts';
import { programName } from '../../languages/program-name.ts';
import { gitPaths } from '../git.ts';
import { foldersTaken, pathsChanged } from './changing.ts';
import type { CommandOptions, Part, TouchedPath } from './contract.ts';
import { isLooking, pathsLookedAt } from './looking.ts';

export function touchedBy({ words }: Part, options: CommandOptions): readonly TouchedPath[] {
  const [program = '', ...args] = words;
  const name = programName(program, options.platform);
  if (name === 'git') return gitPaths(args).map(read);
  const below = (folders: readonly string[]) =>
    folders.flatMap((folder) => options.heldBelow(folder));
  if (isLooking(name)) {
    const looked = pathsLookedAt(name, args);
    const flags = args.filter((arg) => arg.startsWith('-'));
    return [...looked.paths, ...filesNamed(flags, options), ...below(looked.below)];
  }
  return [
    ...pathsChanged(name, args),
    ...filesNamed(args, options),
    ...below(foldersTaken(name, args)),
  ];
}

const read = (path: string): TouchedPath => ({ does: 'read', path });

/** A word that is the name of a file is read, whatever the program: `node --env-file=.env app.js`. */
const filesNamed = (args: readonly string[], options: CommandOptions): readonly TouchedPath[] =>
  args.flatMap((arg) =>
    [...new Set(namesIn(arg))].filter((path) => options.isFile(path)).map(read),
  );

const namesIn = (arg: string): readonly string[] =>
  [...pathsIn(arg), ...(/^-\w./.test(arg) ? [arg.slice(2)] : [])].map((name) =>
    name.replace(/^@/, ''),
  );
