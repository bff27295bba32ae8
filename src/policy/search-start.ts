/**
 * Starts programs that read whole folders so that they skip the folders of git and of runs, unless these are
 * named. They contain addresses with passwords and earlier contents of a user's files.
 */
import { LOST_PREFIX, STATE_DIRECTORY } from '../journal/layout.ts';
import { pathsOf } from '../lib/files/absolute-paths.ts';
import {
  AS_IT_IS,
  type AskProgram,
  type ChangeStart,
  type RefusedStart,
  refusedStart,
  type StartChange,
  type StartRequest,
} from '../tools/commands/start.ts';
import { hasOption } from './command/arguments.ts';
import { pathsRead, readLook } from './command/read-only-programs.ts';
import { protectedFile } from './files.ts';
import { leftOutNotice } from './left-out.ts';

/** For each folder, the pattern of its name and a file in it that would be shown. */
const KEPT: readonly (readonly [pattern: string, file: string])[] = [
  ['.git', '.git/config'],
  [STATE_DIRECTORY, `${STATE_DIRECTORY}/history.jsonl`],
  [`${LOST_PREFIX}*`, `${LOST_PREFIX}1/history.jsonl`],
];

/** A command that names such a folder was judged for that already. */
function leftOut({ name, args, platform, mayShow }: StartRequest): readonly string[] {
  const { below } = pathsRead(name, args, platform);
  const isNamed = below.some((path) => path.split(/[\\/]/).some((part) => isKept(part)));
  if (below.length === 0 || isNamed) return [];
  return KEPT.flatMap(([pattern, file]) => (mayShow(file) ? [] : [pattern]));
}

const isKept = (part: string): boolean => part === '.git' || part.startsWith(STATE_DIRECTORY);

const NAME_FOLDERS = 'Name the folders that you want to search.';

const changed = (args: readonly string[]): StartChange => ({ kind: 'changed', args, env: {} });

/**
 * A later glob overrides an earlier one, and globs of `--iglob` come after all others. The first glob is
 * repeated, because a last flag without its value would swallow one. Files that may hold keys are excluded if
 * rg itself lists them, and only if a second list with the exclusions names none of them.
 */
export const ripgrepStart: ChangeStart = async (request, ask) => {
  const { args, name, platform } = request;
  const read = readLook(name, args, platform);
  const globs = leftOut(request).map((pattern) => `--iglob=!${pattern}`);
  const list = (more: readonly string[]) => keysAmong(read, [...globs, ...more], request, ask);
  const found = await list([]);
  if ('kind' in found) return found;
  const names = [...new Set(found.map((file) => file.slice(file.lastIndexOf('/') + 1)))];
  const own = names.map((one) => `--iglob=!${one.replace(/[\\*?[\]{}!]/g, '\\$&')}`);
  const left = own.length === 0 ? [] : await list(own);
  if ('kind' in left) return left;
  const [shown] = left;
  if (shown !== undefined)
    return refusedStart(`It would show ${shown}, which may hold keys.`, NAME_FOLDERS);
  const words = [...globs, ...own];
  const [first] = words;
  if (first === undefined) return AS_IT_IS;
  const changing = [...args.slice(0, read.end), first, ...words, ...args.slice(read.end)];
  return { ...changed(changing), ...(names.length === 0 ? {} : { notice: leftOutNotice(found) }) };
};

const SHOWS_NAMES = ['--files', '--type-list', '--version', '-V', '--help', '-h'];

/** Files that rg would search although they may hold keys and were not named one by one. */
async function keysAmong(
  read: ReturnType<typeof readLook>,
  globs: readonly string[],
  { mayShow, platform, cwd }: StartRequest,
  ask: AskProgram,
): Promise<readonly string[] | RefusedStart> {
  const { options, words, looking, unknown } = read;
  if (unknown !== null || hasOption(read, SHOWS_NAMES)) return [];
  const selecting = options.flatMap(({ name, value }) =>
    looking.selecting?.has(name) ? [name, ...(value === undefined ? [] : [value])] : [],
  );
  const { exitCode, output, truncatedBytes } = await ask(
    ['--files', '--null', '--no-messages', ...selecting, ...globs, '--', ...words],
    {},
  );
  // rg ends with 2 if one of the paths is missing, or if it does not accept the command at all.
  if (exitCode === null || exitCode > 2 || truncatedBytes > 0)
    return refusedStart('It would search more files than can be looked at.', NAME_FOLDERS);
  return output
    .split(/[\0\n]/)
    .map((file) => file.replaceAll('\\', '/').replace(/^\.\//, ''))
    .filter((file) => protectedFile('read', file) !== null && !words.includes(file))
    .filter((file) => !mayShow(cwd === undefined ? file : pathsOf(platform).resolve(cwd, file)));
}

/** Not every grep can exclude folders; those that can identify themselves. */
export const grepStart: ChangeStart = async (request, ask) => {
  const words = leftOut(request).map((pattern) => `--exclude-dir=${pattern}`);
  return without(words, /\b(?:GNU|BSD) grep\b/, request, ask);
};

/** Without `-r`, diff does not enter subfolders. */
export const diffStart: ChangeStart = async (request, ask) => {
  const read = readLook(request.name, request.args, request.platform);
  if (read.unknown === null && !hasOption(read, ['-r', '--recursive'])) return AS_IT_IS;
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
  return refusedStart(
    `This ${name} cannot leave out what git and runs keep in a folder.`,
    'Search with a tool, or name the files.',
  );
}
