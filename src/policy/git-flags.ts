/** Reads the words of a git command that shows differences: which are flags, and whether every one is known. Pure. */
import { isFlag } from '../languages/commands/command-rule.ts';

const PATCH = [
  ...['-p', '-u', '-W', '-c', '--patch', '--patch-with-raw', '--patch-with-stat', '--unified'],
  ...['--function-context', '--cc', '--dd', '--word-diff', '--word-diff-regex', '--color-words'],
  ...['--color-moved', '--binary', '--full-diff'],
];
const isPatch = (arg: string): boolean => isFlag(arg, PATCH) || arg.startsWith('-U');
const NAMES_ONLY =
  /^(?:-s|--(?:no-patch|stat|shortstat|numstat|dirstat|summary|raw|name-only|name-status|quiet)(?:=.*)?)$/;

/** Known flags that never take the next word. */
const ALONE: ReadonlySet<string> = new Set(
  (
    '-p -u -W -c -s -w -b -z -R -r -t -a -M -C -B -i -E -F -P -g -m --patch --patch-with-raw --patch-with-stat ' +
    '--function-context --cc --dd --word-diff --color-words --color-moved --binary --full-diff --no-patch --stat ' +
    '--shortstat --numstat --dirstat --summary --raw --name-only --name-status --quiet --cached --staged ' +
    '--merge-base --text --root --no-commit-id --exit-code --relative --no-relative --find-renames --find-copies ' +
    '--find-copies-harder --no-renames --patience --minimal --histogram --full-index --no-prefix --color ' +
    '--no-color --no-ext-diff --no-textconv --ignore-space-change --ignore-all-space --ignore-space-at-eol ' +
    '--ignore-blank-lines --ignore-cr-at-eol --all --branches --tags --remotes --merges --no-merges ' +
    '--first-parent --reverse --topo-order --date-order --author-date-order --oneline --graph --decorate ' +
    '--no-decorate --abbrev --abbrev-commit --no-abbrev-commit --follow --left-right --cherry --cherry-pick ' +
    '--left-only --right-only --boundary --source --walk-reflogs --parents --children --pretty --pickaxe-all ' +
    '--simplify-merges --simplify-by-decoration --full-history --no-walk --no-notes'
  ).split(' '),
);
/** With a value joined to it: `-U3`, `-n5`, `-Stext`, `-5`, `--since=monday`. */
const JOINED = /^(?:-[UMCBSGOnlL].+|-\d+|--[a-z-]+=.*)$/s;
/** Known flags whose value is the next word. */
const TAKES_NEXT: ReadonlySet<string> = new Set(
  (
    '-S -G -O -L -l -n --max-count --skip --author --committer --grep --since --until --after --before --date ' +
    '--diff-filter --diff-algorithm'
  ).split(' '),
);

const standsAlone = (arg: string): boolean => ALONE.has(arg) || JOINED.test(arg);

interface Words {
  readonly flags: readonly string[];
  readonly others: readonly string[];
}

/** `null`: a flag is unknown, so the word behind it may be its value. */
function wordsOf(head: readonly string[]): Words | null {
  const flags: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < head.length; at += 1) {
    const arg = head[at] ?? '';
    if (!arg.startsWith('-')) others.push(arg);
    else if (TAKES_NEXT.has(arg) || standsAlone(arg)) flags.push(arg);
    else return null;
    if (TAKES_NEXT.has(arg)) at += 1;
  }
  return { flags, others };
}

export type Shows =
  /** The lines of many files. */
  | { readonly kind: 'lines' }
  /** At most names, or lines of files that the words themselves name. */
  | { readonly kind: 'names' }
  /** What `REVISION:FILE` names, if these words are all of that kind. */
  | { readonly kind: 'named'; readonly words: readonly string[] };

/** @param head the words of diff, log, show or diff-tree before `--` */
export function whatShows(command: string, head: readonly string[]): Shows {
  const words = wordsOf(head);
  if (words === null) return { kind: 'lines' };
  const { flags, others } = words;
  const isOf = (...commands: string[]): boolean => commands.includes(command);
  // `-L` shows lines of a single file, which its value names.
  if (isOf('log', 'show') && flags.some((flag) => flag.startsWith('-L'))) return { kind: 'names' };
  if (command === 'show' && others.length > 0 && others.every((word) => word.includes(':')))
    return { kind: 'named', words: others };
  if (flags.some(isPatch)) return { kind: 'lines' };
  const isByItself = isOf('diff', 'show') && !flags.some((flag) => NAMES_ONLY.test(flag));
  return { kind: isByItself ? 'lines' : 'names' };
}

/**
 * Where further flags may stand so that they override those before them and are no value of one: behind the
 * last flag, and behind the word that it may take. Git accepts no flag behind a path.
 */
export function placeForFlags(head: readonly string[]): number {
  const last = head.findLastIndex((arg) => arg.startsWith('-'));
  const takesNext = last >= 0 && !standsAlone(head[last] ?? '');
  return Math.min(head.length, last + (takesNext ? 2 : 1));
}
