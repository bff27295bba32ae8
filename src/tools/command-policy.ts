import path from 'node:path';
import {
  insteadOfCommands,
  languageCommands,
  languageRules,
  plainCommandName,
  runExamples,
} from '../languages/allowed-commands.ts';
import type { CommandLine, PolicyOptions, Rule, Verdict } from '../languages/command-rule.ts';
import { gitRule } from './command-policy-git.ts';

/**
 * Which commands run without asking. Pure; works on argv as it will be started. Deny outweighs
 * allow. The list prevents accidents, it does not confine: a program of a language can do anything.
 */
export const ALLOWED_COMMANDS = `${languageCommands}, git status|log|diff|show|branch|blame|ls-files`;

const RULES: { readonly [name: string]: Rule } = { ...languageRules, git: gitRule };

/** Never, whoever asks: they change who we are, or the machine. */
const NEVER =
  /^(?:sudo|su|doas|pkexec|runas|gsudo|format|mkfs(?:\..+)?|fdisk|diskpart|shutdown|reboot|halt|poweroff)$/;
const SHELLS = /^(?:sh|bash|dash|zsh|ksh|fish|csh|tcsh|cmd|powershell|pwsh|wsl|busybox)$/;

const INSTEAD: { readonly [name: string]: string } = {
  cd: 'Every command already starts in the workspace folder; leave cd out.',
  ls: 'Use the tool list_dir.',
  dir: 'Use the tool list_dir.',
  tree: 'Use the tool list_dir.',
  cat: 'Use the tool read_file.',
  type: 'Use the tool read_file.',
  head: 'Use the tool read_file.',
  tail: 'Use the tool read_file.',
  mkdir: 'write_file makes the folders a file needs.',
  touch: 'Use the tool write_file.',
  echo: 'Use the tool write_file to make a file; to show text, answer with it.',
  sed: 'Use the tool edit_file.',
  chmod: `Files need no permission to be run: ${runExamples}`,
  rm: 'Files cannot be deleted here; go on without deleting.',
  del: 'Files cannot be deleted here; go on without deleting.',
  ...insteadOfCommands,
};

export function judgeCommandLine(command: CommandLine, options: PolicyOptions): Verdict {
  const name = ruleName(command.program, options.platform);
  const never = [name, ...(isWrapper(name) ? wordsOf(command.args) : [])].find((word) =>
    NEVER.test(word),
  );
  if (never !== undefined) {
    return deny(`${never} is never run.`, 'Do without it; a person must do what needs it.');
  }
  const allowed = options.allow.map((given) => ruleName(given, options.platform));
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule === undefined) {
    return allowed.includes(name) ? { kind: 'allow' } : denyUnknown(command.program, name);
  }
  const objection = rule(command.args, options);
  if (objection === null) return { kind: 'allow' };
  const { reason, liftedBy } = objection;
  if (liftedBy === null) return deny(reason, 'Work with files of the workspace.');
  return allowed.includes(liftedBy) ? { kind: 'allow' } : deny(reason, howToAllow(liftedBy));
}

/** The name rules go by: no folder, no `.exe`, no version where programs are named with one. */
export function ruleName(program: string, platform: NodeJS.Platform): string {
  const base = platform === 'win32' ? path.win32.basename(program) : path.posix.basename(program);
  return plainCommandName(base.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, ''));
}

/** Programs that run the program in their arguments. */
const isWrapper = (name: string): boolean =>
  SHELLS.test(name) ||
  /^(?:env|xargs|nohup|timeout|time|nice|ionice|setsid|stdbuf|watch|start)$/.test(name);

const wordsOf = (args: readonly string[]): string[] =>
  args.flatMap((arg) => arg.toLowerCase().split(/[^\w.]+/));

function denyUnknown(program: string, name: string): Verdict {
  const what = SHELLS.test(name) ? `${program} is a shell; shells are` : `${program} is`;
  const instead = Object.hasOwn(INSTEAD, name) ? `${INSTEAD[name]} ` : '';
  return deny(`${what} not allowed here.`, `${instead}${howToAllow(name)}`);
}

const howToAllow = (name: string): string =>
  `Allowed are: ${ALLOWED_COMMANDS}. The user can allow more with --allow ${name}.`;

const deny = (reason: string, hint: string): Verdict => ({ kind: 'deny', reason, hint });
