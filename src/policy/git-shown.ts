/**
 * Finds which files that need consent git would show: the words of a diff or log name none of them, but its
 * output contains their lines. Git is asked for the names, and those files are excluded.
 * 1. If git's list fails or cannot be read, nothing is hidden: the command is refused.
 * 2. The question contains every word of the command, since a word may be the value of the word before it.
 * 3. Exclusions count only if git, asked again with them, names no such file.
 */
import { shortened } from '../lib/text/shortened.ts';
import type { ProcessOutcome } from '../processes/contract.ts';
import type { RefusedStart } from '../tools/commands/start.ts';
import { type Arguments, hasOption } from './command/arguments.ts';
import { readGit, whatShows } from './git-tables.ts';

export interface GitCall {
  /** The words before the command, the command, and the words after it. */
  readonly before: readonly string[];
  readonly command: string;
  readonly rest: readonly string[];
  /** Words that the command gets before `rest`. */
  readonly flags: readonly string[];
  /**
   * True if the text of a file may be shown. The path is absolute, or relative to the workspace, with `/`.
   */
  mayShow(path: string): boolean;
  /** Asks git, with the words before the command and its settings. */
  git(words: readonly string[]): Promise<ProcessOutcome>;
}

export type GitOutput =
  | { readonly kind: 'all' }
  /** @param words appended to exclude files; `files` are their names */
  | { readonly kind: 'without'; readonly words: readonly string[]; readonly files: string[] }
  | Refused;

type Refused = Omit<RefusedStart, 'hint'>;

const ALL: GitOutput = { kind: 'all' };
/** Each word costs a process of git. */
const MAX_WORDS = 50;
const TOO_MANY = `It names more than ${MAX_WORDS} words that git would have to be asked about: name fewer.`;
const refused = (reason: string): Refused => ({ kind: 'refused', reason });

/** Commands that show lines of files that they do not name. */
const LISTS: ReadonlySet<string> = new Set(['diff', 'log', 'show', 'diff-tree', 'grep']);
/** In these commands a word may name the content of a file directly, by the id that git gave it. */
const TAKES_OBJECTS: ReadonlySet<string> = new Set([
  'show',
  'diff',
  'diff-tree',
  'cat-file',
  'grep',
]);

/** These override other words. `-p` lifts an earlier `-s`, which would leave the list empty. */
const LIST_DIFFERENCES = [
  ...['--no-relative', '--line-prefix=', '--no-color', '-r', '-p', '--name-status'],
  ...['-z', '--format='],
];
/** Later flags may override these, but then the answer cannot be read as a list. */
const LIST_MATCHES = ['--no-color', '--full-name', '-l', '-z'];

export async function outputOfGit(call: GitCall): Promise<GitOutput> {
  const { before, command, rest, git } = call;
  const read = readGit(command, rest);
  if (command === 'remote') return await withoutPasswords(call);
  const shows = whatShows(command, read);
  const names = maybeObjects(command, read);
  if (names.length > MAX_WORDS) return refused(TOO_MANY);
  const types = new Map<string, string>();
  for (const name of names) types.set(name, await typeOf(name, git));
  const content = shows === 'names' && command === 'cat-file' ? null : await contentIn(types, call);
  if (content !== null)
    return refused(
      `${content} is the content of a file or folder without its name: name a revision, and the path behind it.`,
    );
  const isNamed =
    shows === 'named' &&
    (hasOption(read, ['-L']) ||
      names.every((name) => /^(?:blob|tree)$/.test(types.get(name) ?? '')));
  if (!LISTS.has(command) || shows === 'names' || isNamed) return ALL;
  // Git is asked without stdin, so names from stdin would be missing from its answer.
  if (read.options.some(({ name, value }) => name === '-f' && value === '-'))
    return refused('It would show what stdin names, which cannot be looked at before.');
  const root = rootOf(call);
  const files = await protectedIn(call, read, [], root);
  if ('kind' in files) return files;
  const [first] = files;
  if (first === undefined) return ALL;
  const wouldShow = refused(`It would show ${first}, which may hold keys.`);
  if (before.includes('--literal-pathspecs')) return wouldShow;
  const words = files.map((file) => `:(exclude,top,literal)${file}`);
  const remaining = await protectedIn(call, read, words, root);
  return 'kind' in remaining || remaining.length > 0
    ? wouldShow
    : { kind: 'without', words, files: [...files] };
}

/** A remote's address may hold a password. It stands in the repository's settings. */
async function withoutPasswords({ rest, git }: GitCall): Promise<GitOutput> {
  const { output } = await git(['remote', ...rest]);
  return /:\/\/[^/\s]*@/.test(output)
    ? refused('An address that it would show may hold a password.')
    : ALL;
}

/** The files that need consent, or why git's list of files says nothing. */
async function protectedIn(
  call: GitCall,
  { optionsEnd }: Arguments,
  left: readonly string[],
  root: RootOf,
): Promise<readonly string[] | Refused> {
  const { command, flags, rest, git, mayShow } = call;
  const isSearch = command === 'grep';
  const list = isSearch ? LIST_MATCHES : LIST_DIFFERENCES;
  const words = [
    ...flags,
    ...rest.slice(0, optionsEnd),
    ...list,
    ...rest.slice(optionsEnd),
    ...left,
  ];
  const { exitCode, output, truncatedBytes } = await git(['--no-pager', command, ...words]);
  if (truncatedBytes > 0)
    return refused('It would show more files than can be looked at: name some.');
  const found = exitCode === 0 || exitCode === 1 ? (isSearch ? matchesIn : filesIn)(output) : null;
  // `git diff` exits with 1 if it is asked to report differences, and `git grep` does without a match.
  const isOdd = found?.length === 0 && exitCode === (isSearch ? 0 : 1);
  if (found !== null && !isOdd) return await protectedAmong(found, mayShow, root);
  if (found !== null || exitCode === 0 || exitCode === 1)
    return refused('With these flags git does not list the files that it would show.');
  const [said = ''] = output.replaceAll('\0', ' ').split('\n', 1);
  return { ...refused(`git does not take this command: ${shortened(said, 200)}`), isFault: true };
}

const STATUS = /^[ACDMRTUXB]+\d*$/;
/** An annotated tag comes before the first status. */
const isTag = (word: string): boolean => word.startsWith('tag ') && word.includes('\n');

/**
 * The names in a list of differences: a status, then a name, or two of a copy or rename. `null`: no such
 * list.
 */
function filesIn(output: string): string[] | null {
  const words = output.split('\0');
  const files: string[] = [];
  if (words.pop() !== '') return null;
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '') continue;
    const status = isTag(word) ? word.slice(word.lastIndexOf('\n') + 1) : word;
    const names = words.slice(at + 1, at + (/^[RC]\d/.test(status) ? 3 : 2));
    if (!STATUS.test(status) || names.length === 0) return null;
    files.push(...names);
    at += names.length;
  }
  return files;
}

/** The names in a list of matches, also without the revisions before them. `null`: no such list. */
function matchesIn(output: string): string[] | null {
  const words = output.split('\0');
  if (words.pop() !== '' || output.includes('\u001b')) return null;
  return words.flatMap((word) => {
    const parts = word.split(':');
    return parts.map((_, at) => parts.slice(at).join(':'));
  });
}

/** The words that could be a content id, each once; paths are not. */
function maybeObjects(command: string, read: Arguments): readonly string[] {
  if (!TAKES_OBJECTS.has(command)) return [];
  const names = read.operands
    .filter(({ isBehindEnd }) => command === 'cat-file' || !isBehindEnd)
    .flatMap(({ word }) => (command === 'grep' ? word : word.split(/\.{2,3}/)))
    .filter((name) => name !== '' && !/^(?:blob|tree|commit|tag)$/.test(name));
  return [...new Set(names)];
}

/** The first object that is content without a name. */
async function contentIn(
  types: ReadonlyMap<string, string>,
  { command, git }: GitCall,
): Promise<string | null> {
  const hidesNames = command === 'diff' || command === 'diff-tree';
  for (const [name, type] of types) {
    const isNamed = name.includes(':');
    if (type === 'blob' && !isNamed) return name;
    // Names in a tree are relative to it, so they do not show whether the tree is a folder of keys.
    const isFolder = type === 'tree' && (hidesNames || (command === 'grep' && !isNamed));
    if (isFolder && !(await isEmpty(name, git))) return name;
  }
  return null;
}

async function typeOf(name: string, git: GitCall['git']): Promise<string> {
  // `^{}` turns an annotated tag into the object that it names. A path takes no such ending.
  const object = name.includes(':') ? name : `${name}^{}`;
  const { exitCode, output } = await git(['cat-file', '-t', object]);
  return exitCode === 0 ? output.trim() : '';
}

/** True for the empty tree. Comparing a revision with it shows all files, each with its name. */
async function isEmpty(name: string, git: GitCall['git']): Promise<boolean> {
  const { exitCode, output } = await git(['ls-tree', name]);
  return exitCode === 0 && output === '';
}

async function protectedAmong(
  found: readonly string[],
  mayShow: GitCall['mayShow'],
  root: RootOf,
): Promise<readonly string[]> {
  const names = [...new Set(found)].filter((name) => name !== '');
  if (names.length === 0) return [];
  const above = await root();
  return names.filter((name) => !mayShow(`${above}${name}`));
}

type RootOf = () => Promise<string>;

/**
 * The root of the repository, from which git's names count; it need not be the workspace. Git is asked for it
 * once.
 */
function rootOf({ git }: GitCall): RootOf {
  let root: Promise<string> | undefined;
  return () => {
    root ??= git(['rev-parse', '--show-toplevel']).then(({ exitCode, output }) =>
      exitCode === 0 ? `${output.replace(/\r?\n$/, '')}/` : '',
    );
    return root;
  };
}
