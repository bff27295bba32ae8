/**
 * Starts programs that search whole folders so that they skip what git and runs keep there, unless it is named.
 * Those folders contain addresses with passwords and earlier contents of a user's files.
 */
import { LOST_PREFIX, STATE_DIRECTORY } from '../journal/layout.ts';
import type { Start, StartChange, StartRequest } from '../tools/commands/start.ts';
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

export const ripgrepStart: Start = async (request) => {
  const patterns = leftOut(request);
  const words = patterns.flatMap((pattern) => ['--glob', `!${pattern}`]);
  return words.length === 0 ? AS_IT_IS : changed([...words, ...request.args]);
};

/** Not every grep can exclude folders; those that can identify themselves. */
export const grepStart: Start = async (request, ask) => {
  const words = leftOut(request).map((pattern) => `--exclude-dir=${pattern}`);
  if (words.length === 0) return AS_IT_IS;
  const { output } = await ask(['--version'], {});
  if (/\b(?:GNU|BSD) grep\b/.test(output)) return changed([...words, ...request.args]);
  return {
    kind: 'refused',
    reason: 'This grep cannot leave out what git and runs keep in a folder.',
    hint: 'Search with a tool, or name the files.',
  };
};
