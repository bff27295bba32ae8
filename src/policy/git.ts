import {
  type CommandRule,
  type CommandRuleOptions,
  isFlag,
  type Objection,
  outsideObjection,
} from '../languages/commands/command-rule.ts';
import { type Arguments, anyFiles, filesInOptions, hasOption } from './command/arguments.ts';
import { gitCall, inFolder, namedBy } from './git-call.ts';
import { type GitLook, gitLook, readGit } from './git-tables.ts';

/**
 * Allows git that only reads: no writing flags, no configured programs, nothing outside. Pure. `git-start.ts`
 * prevents what a repository's own settings would start.
 */

const HARMLESS_GLOBAL =
  /^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs|--no-replace-objects)$/;

export const gitRule: CommandRule = (args, options) => {
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
  const look = command === undefined ? undefined : gitLook(command);
  if (command === undefined || look === undefined) {
    return refuse(
      `git ${command ?? ''} is not allowed, only git that reads.`.replace(/ {2,}/, ' '),
    );
  }
  const outside = filesNamed(command, rest)
    .flatMap((word) => namedBy(word, folder, options))
    .find((file) => options.isOutside(file));
  if (outside !== undefined) return outsideObjection('git would read', outside);
  return moreThanReads(command, look, readGit(command, rest));
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
  { isOutside, platform }: Pick<CommandRuleOptions, 'isOutside' | 'platform'>,
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

const leavesAt = (folder: string): Objection => outsideObjection('git would work in', folder);

/**
 * The files that a diff names. If one of two paths lies outside, git compares them regardless of the
 * repository.
 */
function filesNamed(command: string, rest: readonly string[]): readonly string[] {
  const read = readGit(command, rest);
  const operands = gitLook(command)?.operands === 'texts' ? [] : read.operands;
  const files = [...operands.map(({ word }) => word), ...filesInOptions(read)];
  return (read.unknown === null ? files : [...files, ...anyFiles(rest)]).filter(Boolean);
}

function moreThanReads(command: string, look: GitLook, read: Arguments): Objection {
  if (read.unknown !== null) return refuse(`git ${command} ${read.unknown} is not allowed.`);
  const [first = ''] = read.operands.map(({ word }) => word);
  if (look.only !== undefined && !look.only.includes(first)) {
    const ways = look.only.map((one) => `git ${command} ${one}`.trim()).join(' or ');
    return refuse(`git ${command} ${first} is not allowed, only ${ways}.`.replace(/ {2,}/, ' '));
  }
  return look.listedBy === undefined || first === '' || hasOption(read, look.listedBy)
    ? null
    : refuse(`git ${command} may only list here: git ${command} --list`);
}
