/**
 * Finds what git would show of files that need consent: a diff or log names none of them but contains their
 * lines. It asks git for the names and excludes those files.
 */
import { isFlag } from '../languages/commands/command-rule.ts';
import type { AskProgram } from '../tools/commands/start.ts';

export interface GitCall {
  /** The words before the command, the command, and the words after it. */
  readonly before: readonly string[];
  readonly command: string;
  readonly rest: readonly string[];
  readonly env: { readonly [name: string]: string };
  /** Whether the text of a file may be shown; path relative to the workspace, with `/`. */
  mayShow(path: string): boolean;
}

export type GitOutput =
  | { readonly kind: 'all' }
  /** @param words appended to exclude files; `files` are their names */
  | { readonly kind: 'without'; readonly words: readonly string[]; readonly files: string[] }
  | { readonly kind: 'refused'; readonly reason: string };

const ALL: GitOutput = { kind: 'all' };

const PATCH = [
  ...['-p', '-u', '-W', '-c', '--patch', '--patch-with-raw', '--patch-with-stat', '--unified'],
  ...['--function-context', '--cc', '--dd', '--word-diff', '--word-diff-regex', '--color-words'],
  ...['--color-moved', '--binary', '--full-diff'],
];
const isPatch = (arg: string): boolean => isFlag(arg, PATCH) || /^-U\d*$/.test(arg);
const NAMES_ONLY =
  /^(?:-s|--(?:no-patch|stat|shortstat|numstat|dirstat|summary|raw|name-only|name-status|quiet)(?:=.*)?)$/;
/** Flags that would make git report a file's old name instead of the file. */
const RENAMES = /^(?:-[MCB]|--(?:find-|rename|break-))/;
/** In these commands a word may name the content of a file directly, by the id that git gave it. */
const TAKES_OBJECTS: ReadonlySet<string> = new Set(['show', 'diff', 'diff-tree', 'cat-file']);

/** Flags that make a command list only file names, for commands that are neither diff nor log. */
const LISTING: { readonly [command: string]: readonly string[] } = { grep: ['-l', '-z'] };

export async function outputOfGit(call: GitCall, ask: AskProgram): Promise<GitOutput> {
  const { before, command, rest, env } = call;
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  const head = rest.slice(0, end);
  const content = await contentAmong(head, call, ask);
  if (content !== null)
    return {
      kind: 'refused',
      reason: `${content} is the content of a file without its name: name it as REVISION:FILE.`,
    };
  if (!showsLines(command, head)) return ALL;
  const listing = LISTING[command] ?? ['--no-renames', '--name-only', '-z', '--format='];
  const words = [...head.filter((arg) => !RENAMES.test(arg)), ...rest.slice(end)];
  const looked = await ask([...before, '--no-pager', command, ...listing, ...words], env);
  // If git rejects this call, it rejects the original too, or the original only names files.
  if (looked.exitCode !== 0) return ALL;
  if (looked.truncatedBytes > 0)
    return {
      kind: 'refused',
      reason: 'It would show more files than can be looked at: name some.',
    };
  const files = await protectedAmong(looked.output, call, ask);
  if (files.length === 0) return ALL;
  if (before.includes('--literal-pathspecs'))
    return { kind: 'refused', reason: `It would show ${files[0]}, which may hold keys.` };
  const left = files.flatMap((file) => [
    `:(exclude,top,literal)${file}`,
    `:(exclude,literal)${file}`,
  ]);
  return { kind: 'without', words: left, files };
}

const showsLines = (command: string, head: readonly string[]): boolean => {
  // `-L` shows lines of a single file, which its path names.
  if (head.some((arg) => arg.startsWith('-L'))) return false;
  if (head.some(isPatch)) return true;
  if (command === 'grep') return true;
  const isByItself = command === 'diff' || command === 'show';
  return isByItself && !head.some((arg) => NAMES_ONLY.test(arg));
};

/** Asks git for the type of each word that could be a content id; paths are not. */
async function contentAmong(
  head: readonly string[],
  { before, command, env }: GitCall,
  ask: AskProgram,
): Promise<string | null> {
  if (!TAKES_OBJECTS.has(command) || (command === 'cat-file' && head.includes('-t'))) return null;
  const names = head
    .filter((arg) => !arg.startsWith('-') && !arg.includes(':'))
    .flatMap((arg) => arg.split(/\.{2,3}/))
    .filter((name) => name !== '' && !/^(?:blob|tree|commit|tag)$/.test(name));
  for (const name of names) {
    const { exitCode, output } = await ask([...before, 'cat-file', '-t', name], env);
    if (exitCode === 0 && output.trim() === 'blob') return name;
  }
  return null;
}

async function protectedAmong(output: string, call: GitCall, ask: AskProgram): Promise<string[]> {
  const listed = output.split(/[\0\n]/);
  // For a revision, a search reports names as REVISION:FILE.
  const bare = call.command === 'grep' ? listed.map((name) => name.replace(/^[^:]*:/, '')) : [];
  const names = [...new Set([...listed, ...bare])].filter((name) => name !== '');
  if (names.length === 0) return [];
  const { exitCode, output: said } = await ask(
    [...call.before, 'rev-parse', '--show-prefix'],
    call.env,
  );
  const prefix = exitCode === 0 ? said.trim() : '';
  const inFolder = (name: string): string =>
    prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name;
  return names.filter((name) => !call.mayShow(name) || !call.mayShow(inFolder(name)));
}
