import {
  type CommandsSaid,
  insteadOfCommands,
  languageRules,
} from '../languages/allowed-commands.ts';
import type { CommandLine, PolicyOptions, Rule, Verdict } from '../languages/command-rule.ts';
import { programName } from '../languages/program-name.ts';
import type { Start } from '../tools/start.ts';
import { gitRule } from './git.ts';
import { gitStart } from './git-start.ts';

/**
 * Which commands run without asking. Pure; works on argv as it will be started. Deny outweighs
 * allow. The list prevents accidents, it does not confine: a program of a language can do anything.
 */
const RULES: { readonly [name: string]: Rule } = { ...languageRules, git: gitRule };

const STARTS: { readonly [name: string]: Start } = { git: gitStart };

/** What of a rule is only true of a program that is started in its own way. */
export const startOf: Start = async (request, ask) =>
  (await (Object.hasOwn(STARTS, request.name) ? STARTS[request.name] : undefined)?.(
    request,
    ask,
  )) ?? { kind: 'as_it_is' };

const GIT_SAID = 'git status|log|diff|show|branch|blame|ls-files';

/** Never, whoever asks: they change who we are, or the machine. */
const NEVER =
  /^(?:sudo|su|doas|pkexec|runas|gsudo|format|mkfs(?:\..+)?|fdisk|diskpart|shutdown|reboot|halt|poweroff)$/;
const SHELLS = /^(?:sh|bash|dash|zsh|ksh|fish|csh|tcsh|cmd|powershell|pwsh|wsl|busybox)$/;

/** Where no tool stands in for a program. */
const INSTEAD: { readonly [name: string]: string } = {
  cd: 'Every command already starts in the workspace folder; leave cd out.',
  rm: 'Files cannot be deleted here; go on without deleting.',
  del: 'Files cannot be deleted here; go on without deleting.',
  ...insteadOfCommands,
};

export interface CommandPolicyOptions extends PolicyOptions {
  /** What tools say of the programs they stand in for, by their names. */
  readonly insteadOf: Pick<ReadonlyMap<string, string>, 'get'>;
  readonly said: CommandsSaid;
}

export function judgeCommandLine(command: CommandLine, options: CommandPolicyOptions): Verdict {
  const name = programName(command.program, options.platform);
  const never = [name, ...(isWrapper(name) ? wordsOf(command.args) : [])].find((word) =>
    NEVER.test(word),
  );
  if (never !== undefined) {
    return deny(`${never} is never run.`, 'Do without it; a person must do what needs it.');
  }
  const allowed = options.allow.map((given) => programName(given, options.platform));
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined;
  if (rule === undefined) {
    return allowed.includes(name) ? { kind: 'allow' } : denyUnknown(command.program, name, options);
  }
  const objection = rule(command.args, options);
  if (objection === null) return { kind: 'allow' };
  const { reason, liftedBy } = objection;
  if (liftedBy === null) return deny(reason, 'Work with files of the workspace.');
  return allowed.includes(liftedBy)
    ? { kind: 'allow' }
    : deny(reason, howToAllow(liftedBy, options.said));
}

/** Programs that run the program in their arguments. */
const isWrapper = (name: string): boolean =>
  SHELLS.test(name) ||
  /^(?:env|xargs|nohup|timeout|time|nice|ionice|setsid|stdbuf|watch|start)$/.test(name);

const wordsOf = (args: readonly string[]): string[] =>
  args.flatMap((arg) => arg.toLowerCase().split(/[^\w.]+/));

function denyUnknown(
  program: string,
  name: string,
  { insteadOf, said }: CommandPolicyOptions,
): Verdict {
  const what = SHELLS.test(name) ? `${program} is a shell; shells are` : `${program} is`;
  const own = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
  const instead = insteadOf.get(name) ?? (name === 'chmod' ? noPermission(said) : own);
  return deny(
    `${what} not allowed here.`,
    instead === undefined ? howToAllow(name, said) : `${instead} ${howToAllow(name, said)}`,
  );
}

const noPermission = ({ runExamples }: CommandsSaid): string =>
  `Files need no permission to be run: ${runExamples}`;

const howToAllow = (name: string, { allowed }: CommandsSaid): string =>
  `Allowed are: ${allowed}, ${GIT_SAID}. The user can allow more with --allow ${name}.`;

const deny = (reason: string, hint: string): Verdict => ({ kind: 'deny', reason, hint });
