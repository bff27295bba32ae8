/** The files and folders that one program of a command would read or change. Pure. */
import { pathsIn } from '../../languages/commands/command-rule.ts';
import { programName } from '../../languages/commands/program-name.ts';
import { gitPaths } from '../git-paths.ts';
import { foldersTaken, pathsChanged } from './changing.ts';
import type { CommandOptions, CommandPart, TouchedPath } from './contract.ts';
import { isReadOnlyProgram, pathsRead } from './read-only-programs.ts';

export function touchedBy(
  { words, around }: CommandPart,
  options: CommandOptions,
): readonly TouchedPath[] {
  const [program = '', ...args] = words;
  const name = programName(program, options.platform);
  if (name === 'git') return gitPaths(args, options);
  const below = (folders: readonly string[], look: Parameters<typeof options.protectedBelow>[1]) =>
    folders.flatMap((folder) => options.protectedBelow(folder, look));
  if (isReadOnlyProgram(name)) {
    const looked = pathsRead(name, args, options.platform);
    return [
      ...looked.paths,
      ...below(looked.below, {
        followsLinks: looked.followsLinks,
        leavesOut: looked.leavesOut && looked.isCertain && around.length === 0,
      }),
      ...(looked.isCertain ? [] : protectedNamed(args, options)),
    ];
  }
  const changed = pathsChanged(name, args);
  // The sources of a copy or move are read.
  const sources = changed.flatMap(({ does, path }) => (does === 'read' ? [path] : []));
  return [
    ...changed,
    ...filesNamed(args, options),
    ...protectedNamed(
      args.filter((arg, at) => !sources.includes(arg) || takesTarget(args[at - 1] ?? '')),
      options,
    ),
    ...below(foldersTaken(name, args), {}),
  ];
}

/** `-t`, `-Rt`, `--target-directory` and the prefixes that GNU accepts: the next word is the target. */
const takesTarget = (option: string): boolean => /^-(?:[A-Za-z]*t|-t[a-z-]*)$/.test(option);

const read = (path: string): TouchedPath => ({ does: 'read', path });

/** A word that names a file counts as read, for any program: `node --env-file=.env app.js`. */
const filesNamed = (args: readonly string[], options: CommandOptions): readonly TouchedPath[] =>
  args.flatMap((arg) =>
    [...new Set(namesIn(arg))].filter((path) => options.isFile(path)).map(read),
  );

/** In protected folders, any word and any option value counts as a change. */
const protectedNamed = (args: readonly string[], options: CommandOptions): readonly TouchedPath[] =>
  args.flatMap((arg) =>
    [...new Set([...namesIn(arg), ...behindFlags(arg)])]
      .filter((path) => options.isProtected(path))
      .map((path) => ({ does: 'edit', path }) as const),
  );

/** The value may follow several letters: `-cf.git/x`. */
const behindFlags = (arg: string): readonly string[] =>
  /^-\w/.test(arg) ? [3, 4, 5].map((from) => arg.slice(from)).filter((value) => value !== '') : [];

const namesIn = (arg: string): readonly string[] =>
  [...pathsIn(arg), ...(/^-\w./.test(arg) ? [arg.slice(2)] : [])].map((name) =>
    name.replace(/^@/, ''),
  );
