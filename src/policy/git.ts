import path from 'node:path';
import {
  isFlag,
  type Objection,
  type PolicyOptions,
  type Rule,
  splitFlag,
} from '../languages/commands/command-rule.ts';

/**
 * Allows git that only reads: no writing flags, no configured programs, nothing outside. Pure. `git-start.ts`
 * prevents what a repository's own settings would start.
 */

const READING = [
  'status',
  'log',
  'diff',
  'show',
  'branch',
  'tag',
  'rev-parse',
  'rev-list',
  'ls-files',
  'ls-tree',
  'blame',
  'shortlog',
  'describe',
  'cat-file',
  'merge-base',
  'name-rev',
  'diff-tree',
  'grep',
  'reflog',
  'remote',
  'stash',
];

/**
 * These flags write a file, start a configured program, read outside the repository, or enter submodules, which
 * have settings of their own.
 */
const HARMFUL = [
  '--output',
  '--ext-diff',
  '--textconv',
  '--filters',
  '--no-index',
  '--contents',
  '--show-signature',
  '--open-files-in-pager',
  '--alternate-refs',
  '--remerge-diff',
  '--diff-merges',
  '--submodule',
  '--recurse-submodules',
  '--ignore-submodules',
];

/** Flags that are harmful only for one command: they enter submodules, or run a diff that no flag makes harmless. */
const HARMFUL_OF: { readonly [command: string]: readonly string[] } = {
  describe: ['--dirty', '--broken'],
  status: ['--verbose'],
  // These show lines whatever else is asked for, or show what stdin names.
  diff: ['--check'],
  log: ['--check'],
  show: ['--check'],
  'diff-tree': ['--check', '--stdin'],
  'cat-file': ['--batch', '--batch-command'],
};

/** Of these commands only the listing form reads: the words that may follow the command, '' for none. */
const ONLY: { readonly [command: string]: readonly string[] } = {
  reflog: ['', 'show'],
  remote: ['', 'get-url'],
  stash: ['list'],
};
/** Their permitted flags, none of which shows a diff. */
const PLAIN_LIST = /^(?:-v|--verbose|--oneline|-n?\d+|--max-count=\d+|--all|--push)$/;

const HARMLESS_GLOBAL =
  /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;

/** Flags that make `git branch` and `git tag` list instead of create. */
const LISTING =
  /^(?:-l|--list|-a|--all|-r|--remotes|-v|-vv|--verbose|-i|--ignore-case|--show-current|--(?:no-)?color|--(?:no-)?column|-n\d*)$|^--(?:sort|format|contains|no-contains|merged|no-merged|points-at|color|column|abbrev)(?:=|$)/;
const TAKES_NAMES = /^(?:-l|--list)$|^--(?:contains|no-contains|merged|no-merged|points-at)$/;

/** The next word is a search text, a person or a date, not a path. */
const TAKES_TEXT =
  /^(?:-S|-G|-L|-n|--grep|--author|--committer|--since|--until|--after|--before|--date|--format|--pretty)$/;
/** The value after `=`, or joined to a letter, is a path. */
const PATH_FLAGS =
  /^--(?:ignore-revs-file|exclude-from|exclude-per-directory|pathspec-from-file|skip-to|rotate-to|git-path)$/;
const JOINED_PATH: { readonly [command: string]: RegExp } = {
  blame: /^-S(.+)$/s,
  'ls-files': /^-X(.+)$/s,
  diff: /^-O(.+)$/s,
  grep: /^-f(.+)$/s,
  log: /^-O(.+)$/s,
  show: /^-O(.+)$/s,
  'diff-tree': /^-O(.+)$/s,
};

const TAKES_VALUE =
  /^(?:-C|-c|--(?:git-dir|work-tree|namespace|config-env|attr-source|super-prefix))$/;

/** A git command line: the words before the command, the command, and the words after it. */
export interface GitCall {
  readonly before: readonly string[];
  readonly command: string | undefined;
  readonly rest: readonly string[];
}

export function gitCall(args: readonly string[]): GitCall {
  let at = 0;
  while (args[at]?.startsWith('-'))
    at += TAKES_VALUE.test(args[at] ?? '') && args[at + 1] !== undefined ? 2 : 1;
  return { before: args.slice(0, at), command: args[at], rest: args.slice(at + 1) };
}

export const gitRule: Rule = (args, options) => {
  const denied = gitDenied(args);
  if (denied !== null) return denied;
  const { before, command, rest } = gitCall(args);
  let folder = '';
  for (let at = 0; at < before.length; at += 1) {
    const arg = before[at] ?? '';
    const next = before[at + 1];
    if (arg === '--version') return null;
    if (arg === '-C' && next !== undefined) {
      folder = inFolder(folder, next, options);
      if (options.isOutside(folder)) return leavesAt(next);
      at += 1;
    } else if (!HARMLESS_GLOBAL.test(arg)) {
      return refuse(`git ${arg} before the command is not allowed.`);
    }
  }
  if (command === undefined || !READING.includes(command)) {
    return refuse(
      `git ${command ?? ''} is not allowed, only git that reads.`.replace(/ {2,}/, ' '),
    );
  }
  return flagObjection(command, rest) ?? pathObjection(command, rest, folder, options);
};

/** Denied without a question: these send, discard or rewrite what cannot be recovered. */
const DENIED: readonly (readonly [command: string, ...flags: string[]])[] = [
  ['push'],
  ['send-pack'],
  ['clean'],
  ['rebase'],
  ['filter-branch'],
  ['filter-repo'],
  ['replace'],
  ['update-ref'],
  ['prune'],
  ['reflog', 'expire'],
  ['reflog', 'delete'],
  ['reset', '--hard'],
  ['reset', '--merge'],
  ['reset', '--keep'],
  ['commit', '--amend'],
  ['branch', '-D'],
  ['branch', '-M'],
  ['checkout', '--force'],
  ['checkout', '-f'],
  ['switch', '--discard-changes'],
  ['stash', 'clear'],
  ['lfs', 'push'],
];

function gitDenied(args: readonly string[]): Objection {
  const { command, rest } = gitCall(args);
  const found = DENIED.find(
    ([name, ...flags]) => name === command && flags.every((flag) => hasWord(rest, flag)),
  );
  if (found === undefined) return null;
  return {
    reason: `git ${found.join(' ')} is never run unasked.`,
    liftedBy: 'git',
    denied: ['git', ...found, '*'],
  };
}

/** Git accepts any prefix of a long flag, and several short flags in one word. */
const hasWord = (words: readonly string[], word: string): boolean =>
  word.startsWith('-')
    ? words.some((arg) =>
        word.startsWith('--')
          ? arg.length > 3 && isFlag(arg, [word])
          : new RegExp(`^-[A-Za-z]*${word.slice(1)}`).test(arg),
      )
    : words.find((arg) => !arg.startsWith('-')) === word;

/** The command without the words before it, as rules name it. */
export function gitCore(
  args: readonly string[],
  { isOutside, platform }: Pick<PolicyOptions, 'isOutside' | 'platform'>,
): { readonly words: readonly string[]; readonly isHarmless: boolean } {
  const { before, command, rest } = gitCall(args);
  const isHarmless = before.every((arg, at) => {
    if (arg === '-C' || HARMLESS_GLOBAL.test(arg)) return true;
    const folder = before[at - 1] === '-C' ? arg : null;
    return folder !== null && !isOutside(inFolder('', folder, { platform }));
  });
  return { words: command === undefined ? [] : [command, ...rest], isHarmless };
}

const refuse = (reason: string): Objection => ({ reason, liftedBy: 'git' });

const leavesAt = (folder: string): Objection => ({
  reason: `git would work in ${folder}, which lies outside the workspace.`,
  liftedBy: null,
});

/** Where git works after one more `-C`. */
export function inFolder(
  folder: string,
  target: string,
  { platform }: Pick<PolicyOptions, 'platform'>,
): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  return folder === '' || paths.isAbsolute(target) ? target : paths.join(folder, target);
}

function flagObjection(command: string, args: readonly string[]): Objection {
  const flags = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const refused = [...HARMFUL, ...(HARMFUL_OF[command] ?? [])];
  const harmful = flags.find(
    (arg) => isFlag(arg, refused) || showsDiff(command, arg) || opensPager(command, arg),
  );
  if (harmful !== undefined) return refuse(`git ${command} ${harmful} is not allowed.`);
  const only = ONLY[command];
  const word = args.find((arg) => !arg.startsWith('-')) ?? '';
  const isPlain = flags.every((arg) => !arg.startsWith('-') || PLAIN_LIST.test(arg));
  if (only !== undefined && !(only.includes(word) && isPlain)) {
    const ways = only.map((one) => `git ${command} ${one}`.trim()).join(' or ');
    return refuse(`git ${command} ${word} is not allowed, only ${ways}.`.replace(/ {2,}/, ' '));
  }
  if (command !== 'branch' && command !== 'tag') return null;
  const names = args.filter((arg) => !arg.startsWith('-'));
  const lists = args.every((arg) => !arg.startsWith('-') || LISTING.test(arg));
  if (lists && (names.length === 0 || args.some((arg) => TAKES_NAMES.test(arg)))) return null;
  return refuse(`git ${command} may only list here: git ${command} --list`);
}

/** `-v` of a status, alone or combined: `-sv`. */
const showsDiff = (command: string, arg: string): boolean =>
  command === 'status' && /^-[a-tw-z]*v/.test(arg);

/** `-O` of a search, alone or after other letters: it starts a program. */
const opensPager = (command: string, arg: string): boolean =>
  command === 'grep' && /^-(?!-)[^-]*O/.test(arg);

/** Two paths of which one lies outside are compared regardless of the repository. */
function pathObjection(
  command: string,
  args: readonly string[],
  folder: string,
  options: PolicyOptions,
): Objection {
  for (const [at, arg] of args.entries()) {
    const isText =
      TAKES_TEXT.test(args[at - 1] ?? '') && !(command === 'blame' && args[at - 1] === '-S');
    const path = isText ? undefined : pathIn(command, arg);
    if (path === undefined || path === '') continue;
    if (options.isOutside(inFolder(folder, path, options))) {
      return {
        reason: `git would read ${path}, which lies outside the workspace.`,
        liftedBy: null,
      };
    }
  }
  return null;
}

function pathIn(command: string, arg: string): string | undefined {
  if (!arg.startsWith('-')) return arg;
  const [name, value] = splitFlag(arg);
  if (PATH_FLAGS.test(name)) return value;
  return JOINED_PATH[command]?.exec(arg)?.[1];
}
