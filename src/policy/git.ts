import {
  isFlag,
  type Objection,
  type PolicyOptions,
  type Rule,
} from '../languages/command-rule.ts';

/** Git that only reads: no writing flags, no configured programs, nothing outside. Pure. */

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
];

/** They write a file, start a configured program, or read outside the repository. */
const HARMFUL = [
  '--output',
  '--ext-diff',
  '--textconv',
  '--filters',
  '--no-index',
  '--contents',
  '--show-signature',
  '--open-files-in-pager',
];

const HARMLESS_GLOBAL =
  /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;

/** What makes `git branch` and `git tag` list instead of create. */
const LISTING =
  /^(?:-l|--list|-a|--all|-r|--remotes|-v|-vv|--verbose|-i|--ignore-case|--show-current|--(?:no-)?color|--(?:no-)?column|-n\d*)$|^--(?:sort|format|contains|no-contains|merged|no-merged|points-at|color|column|abbrev)(?:=|$)/;
const TAKES_NAMES = /^(?:-l|--list)$|^--(?:contains|no-contains|merged|no-merged|points-at)$/;

export const gitRule: Rule = (args, options) => {
  let at = 0;
  while (args[at]?.startsWith('-')) {
    const arg = args[at] ?? '';
    if (arg === '--version') return null;
    const folder = arg === '-C' ? args[at + 1] : undefined;
    if (folder !== undefined) {
      const objection = folderInside(folder, options);
      if (objection !== null) return objection;
    } else if (!HARMLESS_GLOBAL.test(arg)) {
      return refuse(`git ${arg} before the command is not allowed.`);
    }
    at += folder === undefined ? 1 : 2;
  }
  const command = args[at];
  if (command === undefined || !READING.includes(command)) {
    return refuse(`git ${command ?? ''} is not allowed, only git that reads.`.replace('  ', ' '));
  }
  return judgeArguments(command, args.slice(at + 1));
};

const refuse = (reason: string): Objection => ({ reason, liftedBy: 'git' });

const folderInside = (folder: string, options: PolicyOptions): Objection =>
  options.isOutside(folder)
    ? { reason: `git would work in ${folder}, which lies outside the workspace.`, liftedBy: null }
    : null;

function judgeArguments(command: string, args: readonly string[]): Objection {
  const flags = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  const harmful = flags.find((arg) => isFlag(arg, HARMFUL));
  if (harmful !== undefined) return refuse(`git ${command} ${harmful} is not allowed.`);
  if (command !== 'branch' && command !== 'tag') return null;
  const names = args.filter((arg) => !arg.startsWith('-'));
  const lists = args.every((arg) => !arg.startsWith('-') || LISTING.test(arg));
  if (lists && (names.length === 0 || args.some((arg) => TAKES_NAMES.test(arg)))) return null;
  return refuse(`git ${command} may only list here: git ${command} --list`);
}
