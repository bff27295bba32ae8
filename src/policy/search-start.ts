/**
 * Starts programs that read whole folders so that they skip what git and runs keep there, unless it is named.
 * Those folders contain addresses with passwords and earlier contents of a user's files.
 */
import { LOST_PREFIX, STATE_DIRECTORY } from '../journal/layout.ts';
import type { AskProgram, Start, StartChange, StartRequest } from '../tools/commands/start.ts';
import { pathsRead } from './command/read-only-programs.ts';

/** For each folder, the pattern of its name and a file in it that would be shown. */
const KEPT: readonly (readonly [pattern: string, file: string])[] = [
  ['.git', '.git/config'],
  [STATE_DIRECTORY, `${STATE_DIRECTORY}/history.jsonl`],
  [`${LOST_PREFIX}*`, `${LOST_PREFIX}1/history.jsonl`],
];

const AS_IT_IS: StartChange = { kind: 'as_it_is' };

/** A command that names such a folder was judged for that already. */
function leftOut({ name, args, mayShow }: StartRequest): readonly string[] {
  const { below } = pathsRead(name, args);
  const isNamed = below.some((path) => path.split(/[\\/]/).some((part) => isKept(part)));
  if (below.length === 0 || isNamed) return [];
  return KEPT.flatMap(([pattern, file]) => (mayShow(file) ? [] : [pattern]));
}

const isKept = (part: string): boolean => part === '.git' || part.startsWith(STATE_DIRECTORY);

const changed = (args: readonly string[]): StartChange => ({ kind: 'changed', args, env: {} });

/**
 * Of two globs the later one counts, and those of `--iglob` come after all others. The first is repeated because
 * a last flag without its value would take it.
 */
export const ripgrepStart: Start = async (request) => {
  const words = leftOut(request).map((pattern) => `--iglob=!${pattern}`);
  const [first] = words;
  if (first === undefined) return AS_IT_IS;
  const { args } = request;
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return changed([...args.slice(0, end), first, ...words, ...args.slice(end)]);
};

/** Not every grep can exclude folders; those that can identify themselves. */
export const grepStart: Start = async (request, ask) => {
  const words = leftOut(request).map((pattern) => `--exclude-dir=${pattern}`);
  return without(words, /\b(?:GNU|BSD) grep\b/, request, ask);
};

const IS_RECURSIVE = /^(?:-[a-zA-Z0-9]*r|--rec)/;

/** Only `-r` enters the folders in a folder. */
export const diffStart: Start = async (request, ask) => {
  if (!request.args.some((arg) => IS_RECURSIVE.test(arg))) return AS_IT_IS;
  const words = leftOut(request).map((pattern) => `--exclude=${pattern}`);
  return without(words, /\b(?:GNU diffutils|FreeBSD diff)\b/, request, ask);
};

async function without(
  words: readonly string[],
  isAble: RegExp,
  { name, args }: StartRequest,
  ask: AskProgram,
): Promise<StartChange> {
  if (words.length === 0) return AS_IT_IS;
  const { output } = await ask(['--version'], {});
  if (isAble.test(output)) return changed([...words, ...args]);
  return {
    kind: 'refused',
    reason: `This ${name} cannot leave out what git and runs keep in a folder.`,
    hint: 'Search with a tool, or name the files.',
  };
}
