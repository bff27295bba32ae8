/** The git commands that only read, and all options with which they do. Whatever is missing here asks. */
import { own } from '../lib/own.ts';
import {
  type Arguments,
  hasOption,
  readArguments,
  type Table,
  tableOf,
} from './command/arguments.ts';

export interface GitLook {
  readonly options: Table;
  /**
   * What operands stand for. The content of `content` is shown. `names` are paths and revisions of which only
   * names, ids or messages are shown. `texts` are neither.
   */
  readonly operands: 'content' | 'names' | 'texts';
  /** The first operand must be one of these; '' stands for none. */
  readonly only?: readonly string[];
  /** Operands create something, unless one of these options is given. */
  readonly listedBy?: readonly string[];
}

const FILTER =
  '-# -n=number --max-count=number --skip=number --since=text --after=text --until=text --before=text --author=text ' +
  '--committer=text --grep=text --grep-reflog=text --all-match --invert-grep -i --regexp-ignore-case -E ' +
  '--extended-regexp -F --fixed-strings -P --perl-regexp --basic-regexp --merges --no-merges --min-parents:number ' +
  '--max-parents:number --first-parent --all --branches?text --tags?text --remotes?text --glob:text --exclude:text ' +
  '--reflog --not --no-walk?text --do-walk --reverse --topo-order --date-order --author-date-order --cherry ' +
  '--cherry-pick --cherry-mark --left-only --right-only --left-right --boundary --walk-reflogs -g --merge ' +
  '--full-history --dense --sparse --simplify-merges --simplify-by-decoration --ancestry-path?text --show-pulls ' +
  '--remove-empty --parents --children --graph --no-graph --show-linear-break?text --ignore-missing';
const PRETTY =
  '--pretty?text --format:text --oneline --abbrev-commit --no-abbrev-commit --abbrev?number --no-abbrev --date=text ' +
  '--relative-date --decorate?text --no-decorate --decorate-refs=text --decorate-refs-exclude=text ' +
  '--clear-decorations --source --use-mailmap --mailmap --no-mailmap --log-size --notes?text --no-notes ' +
  '--show-notes?text --encoding:text --expand-tabs?number --no-expand-tabs --color?text --no-color';

/** Options that make git show changed lines of files. */
const PATCHES =
  '-p -u --patch -U?number --unified?number -W --function-context --patch-with-raw --patch-with-stat -c --cc --dd ' +
  '--word-diff?text --word-diff-regex=text --color-words?text --color-moved?text --binary --full-diff';
/** Options with which git shows no lines unless another option asks for them. */
const NAMES =
  '-s --no-patch --stat?text --shortstat --numstat --dirstat?text -X?text --summary --raw --name-only --name-status ' +
  '--quiet --compact-summary --cumulative';
const DIFF =
  `${PATCHES} ${NAMES} --stat-width:number --stat-name-width:number --stat-graph-width:number --stat-count:number ` +
  '-z --full-index --ws-error-highlight:text --src-prefix:text --dst-prefix:text --line-prefix:text --no-prefix ' +
  '--inter-hunk-context:number -B?text --break-rewrites?text -M?text --find-renames?text -D --irreversible-delete ' +
  '-C?text --find-copies?text --find-copies-harder --no-renames --rename-empty --follow -l=number --minimal -w ' +
  '--ignore-all-space -b --ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines -I=text ' +
  '--ignore-matching-lines:text --indent-heuristic --no-indent-heuristic --patience --histogram ' +
  '--diff-algorithm=text --anchored:text --no-color-moved --color-moved-ws:text --relative?text --no-relative -a ' +
  '--text -R --exit-code --no-ext-diff --no-textconv -S=text -G=text --pickaxe-all --pickaxe-regex -O=file ' +
  '--find-object:text --diff-filter=text';
const MERGES = '-m -t -r --root --no-diff-merges --combined-all-paths';

const LOG = [FILTER, PRETTY, DIFF, MERGES, '-q -L=range'];

const look = (
  operands: GitLook['operands'],
  options: readonly string[],
  more: Omit<GitLook, 'operands' | 'options'> = {},
): GitLook => ({ operands, options: tableOf(...options), ...more });

const LISTED = '--sort=text --format=fields -i --ignore-case --color?text --no-color';
/** With one of these, `git branch` and `git tag` list and change nothing. */
const LISTING = [
  '-l',
  '--list',
  '--contains',
  '--no-contains',
  '--merged',
  '--no-merged',
  '--points-at',
];
const CONTAINS = '--contains~text --no-contains~text --merged~text --no-merged~text';
const COLUMNS = '--column?text --no-column';

const COMMANDS: { readonly [command: string]: GitLook } = {
  status: look('names', [
    '-s --short -b --branch --show-stash --ahead-behind --no-ahead-behind --porcelain?text --long -z -u?text',
    '--untracked-files?text --ignored?text --renames --no-renames -M?text --find-renames?text',
    COLUMNS,
  ]),
  log: look('content', LOG),
  show: look('content', LOG),
  diff: look('content', [
    DIFF,
    '-# --cached --staged --merge-base --base --ours --theirs -q -r -t --color?text --no-color --abbrev?number',
  ]),
  'diff-tree': look('content', [PRETTY, DIFF, MERGES, '-v --no-commit-id --merge-base']),
  blame: look('content', [
    '--incremental -b --root --show-stats --progress --no-progress --score-debug -f --show-name -n --show-number -p',
    '--porcelain --line-porcelain -c -t -l -s -e --show-email -w --ignore-rev=text --ignore-revs-file=file',
    '--color-lines --color-by-age --minimal -S=file -C?text -M?text -L=text --abbrev?number --date=text --since=text',
    '--reverse --first-parent --encoding:text --no-textconv',
  ]),
  grep: look('content', [
    '-# --cached --untracked --exclude-standard --no-exclude-standard -v --invert-match -i --ignore-case -w',
    '--word-regexp -a --text -I -r --recursive --no-recursive --max-depth=number -E --extended-regexp -G',
    '--basic-regexp -F --fixed-strings -P --perl-regexp -n --line-number --column -h -H --full-name -l',
    '--files-with-matches --name-only -L --files-without-match -z --null --no-null -o --only-matching -c --count',
    '--color?text --no-color --break --heading -C=number --context=number -B=number --before-context=number -A=number',
    '--after-context=number --threads=number -p --show-function -W --function-context -f=file -e=text --and --or',
    '--not -q --quiet --all-match -m=number --max-count=number --no-textconv',
  ]),
  'cat-file': look('content', [
    '-e -p -t -s --allow-unknown-type --use-mailmap --mailmap --batch-check?text --buffer --unordered',
  ]),
  'rev-parse': look('names', [
    '--abbrev-ref?text --verify -q --quiet --short?number --show-toplevel --show-prefix --show-cdup --git-dir',
    '--absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository',
    '--is-shallow-repository --show-object-format?text --symbolic --symbolic-full-name --all --branches?text',
    '--tags?text --remotes?text --glob:text --exclude:text --git-path=file --show-superproject-working-tree --sq',
    '--not --revs-only --no-revs --flags --no-flags --default=text --path-format:text --local-env-vars',
  ]),
  'rev-list': look('names', [
    FILTER,
    PRETTY,
    '--objects --count --timestamp --header --no-commit-header --commit-header --quiet --max-age:number',
    '--min-age:number --disk-usage?text',
  ]),
  'ls-files': look('names', [
    '-z -t -v -f -c --cached -d --deleted -m --modified -o --others -i --ignored -s --stage -k --killed --directory',
    '--eol --empty-directory --no-empty-directory -u --unmerged --resolve-undo -x=text --exclude=text -X=file',
    '--exclude-from=file --exclude-per-directory=text --exclude-standard --full-name --error-unmatch',
    '--with-tree=text --abbrev?number --debug --deduplicate --sparse --format=text',
  ]),
  'ls-tree': look('names', [
    '-d -r -t -z -l --long --name-only --name-status --object-only --full-name --full-tree --format=text',
    '--abbrev?number',
  ]),
  shortlog: look('names', [
    FILTER,
    '-c --committer -n --numbered -s --summary -e --email -w?text --group=text --format:text --date=text',
  ]),
  describe: look('names', [
    '--contains --debug --all --tags --long --first-parent --abbrev?number --exact-match --candidates=number',
    '--match=text --exclude=text --always',
  ]),
  'merge-base': look('names', ['-a --all --octopus --is-ancestor --independent --fork-point']),
  'name-rev': look('names', [
    '--name-only --tags --refs=text --exclude=text --all --undefined --no-undefined --always',
  ]),
  'check-ignore': look('names', ['-q --quiet -n --non-matching --no-index -z']),
  branch: look(
    'texts',
    [
      '-l --list -a --all -r --remotes -v --verbose -q --show-current --abbrev?number --points-at=text',
      `${LISTED} ${CONTAINS} ${COLUMNS}`,
    ],
    {
      listedBy: LISTING,
    },
  ),
  tag: look('texts', [`-l --list -n?number --points-at=text ${LISTED} ${CONTAINS} ${COLUMNS}`], {
    listedBy: LISTING,
  }),
  'for-each-ref': look('texts', [
    `-s --shell --count=number --points-at=text ${CONTAINS} ${LISTED}`,
  ]),
  'show-ref': look('texts', [
    '-q --quiet --verify --head -d --dereference -s --hash?number --abbrev?number --tags --heads',
  ]),
  reflog: look('texts', [FILTER, PRETTY], { only: ['', 'show'] }),
  stash: look('texts', [FILTER, PRETTY], { only: ['list'] }),
  remote: look('texts', ['-v --verbose --push --all'], { only: ['', 'get-url'] }),
  worktree: look('texts', ['-v --verbose --porcelain -z'], { only: ['list'] }),
  version: look('texts', ['--build-options']),
};

export const gitLook = (command: string): GitLook | undefined => own(COMMANDS, command);

const NO_TABLE: Table = new Map();

/** @param rest the words after the command */
export const readGit = (command: string, rest: readonly string[]): Arguments => {
  const read = readArguments(rest, gitLook(command)?.options ?? NO_TABLE);
  if (command !== 'grep') return read;
  const isText = !hasOption(read, ['-e', '-f']);
  const operands = read.operands.filter(
    ({ word, isBehindEnd }) => isBehindEnd || !/^[()]$/.test(word),
  );
  return { ...read, operands: operands.slice(isText ? 1 : 0) };
};

const PATCH_TABLE = tableOf(PATCHES);
const NAMES_TABLE = tableOf(NAMES);

export type Shows =
  /** The lines of many files. */
  | 'lines'
  /** The content of what its operands and ranges name, and of nothing else. */
  | 'named'
  /** Only names, or nothing. */
  | 'names';

/** What a command shows if its operands may be content. */
export function whatShows(command: string, read: Arguments): Shows {
  const { operands } = read;
  const isOf = (...commands: string[]): boolean => commands.includes(command);
  if (command === 'blame') return 'named';
  if (command === 'grep') return hasOption(read, ['-q', '--quiet']) ? 'names' : 'lines';
  if (command === 'cat-file')
    return hasOption(read, ['-t', '-s', '-e', '--batch-check']) ? 'names' : 'named';
  // `-L` shows lines of a single file, which its value names.
  if (isOf('log', 'show') && hasOption(read, ['-L'])) return 'named';
  const isFile = operands.map(({ word, isBehindEnd }) => !isBehindEnd && word.includes(':'));
  if (command === 'show' && isFile.includes(true))
    return isFile.includes(false) ? 'lines' : 'named';
  if (hasOption(read, PATCH_TABLE)) return 'lines';
  const isByItself = isOf('diff', 'show') && !hasOption(read, NAMES_TABLE);
  return isByItself ? 'lines' : 'names';
}
