/** The defaults when no rule decides: the fourth layer, and the commands of the first. Pure. */
import {
  deniedCommands,
  insteadOfCommands,
  languageRules,
  objectionToOther,
} from '../../languages/commands/allowed-commands.ts';
import type { CommandRule, Objection } from '../../languages/commands/command-rule.ts';
import { programName } from '../../languages/commands/program-name.ts';
import { isInProgramFolder } from '../../languages/commands/programs.ts';
import { defined } from '../../lib/defined.ts';
import { own } from '../../lib/own.ts';
import { INSTEAD_IN_COPY, leavingCopy } from '../copy.ts';
import { gitRule } from '../git.ts';
import { commandPattern, matchesWords } from '../rules/words.ts';
import { DENIED, NEVER, PUBLISHING, ruinousDelete } from './changing.ts';
import type { CommandFinding, CommandOptions, CommandPart } from './contract.ts';
import { leavesSandbox } from './crossing.ts';
import { FETCHED, isOwnProgram, unreadNames } from './parts.ts';
import { isReadOnlyProgram, pathsRead, readOnlyObjection } from './read-only-programs.ts';
import { isShell } from './wrappers.ts';

const RULES: { readonly [name: string]: CommandRule } = { ...languageRules, git: gitRule };

const DENIED_PATTERNS = [...DENIED, ...PUBLISHING, ...deniedCommands].map((text) =>
  text.split(' '),
);

/** Advice for programs that no tool replaces. */
const INSTEAD: { readonly [name: string]: string } = {
  cd: 'Every command already starts in the workspace folder; leave cd out.',
  rm: 'Go on without deleting, where that is possible.',
  del: 'Go on without deleting, where that is possible.',
  ...insteadOfCommands,
};

/** `null`: it may run. */
export function defaultFinding(part: CommandPart, options: CommandOptions): CommandFinding | null {
  const [program = '', ...args] = part.words;
  const name = programName(program, options.platform);
  const never = neverReason(name, args, options);
  if (never !== null) return finding('never', never, part, options);
  const isFetched = part.doubt === FETCHED;
  const fetched = isFetched ? fetchDoubt(name, args, options) : '';
  const leaving = options.isInCopy ? leavingCopy(part, options, fetched !== '') : null;
  if (leaving !== null)
    return { ...finding('never', leaving, part, options), instead: INSTEAD_IN_COPY };
  const denied = DENIED_PATTERNS.find((words) => isDenied(words, name, args));
  if (denied !== undefined) {
    // `npm publish`, not `npm`: other commands of the program may run.
    const said = denied.filter((word) => word !== '*').join(' ');
    return {
      ...finding('deny', `${said} is never run unasked.`, part, options),
      patterns: [denied],
    };
  }
  const objection = objectionTo(name, part, options);
  const found = objection === null ? null : findingFor(objection, part, options);
  if (found !== null && found.effect !== 'ask') return found;
  const around = aroundObjection(part, options);
  if (around !== null) return findingFor(around, part, options);
  const doubt = isFetched ? fetched : part.doubt;
  if (doubt === '') return found;
  // Set only if the inner command needs no question of its own.
  const isForSandbox = !isFetched && (found === null || found.isForSandbox);
  return { ...finding('ask', doubt, part, options), isForSandbox };
}

/** Why a program that is fetched if it is missing needs a question; '' if it is the one that is installed here. */
function fetchDoubt(name: string, args: readonly string[], options: CommandOptions): string {
  const objection = objectionToOther(name, args, options);
  if (objection === null) return '';
  return objection?.reason ?? `${name} is not installed here: it would be fetched and run.`;
}

/** The commands around a command may lead outside, wherever the command itself stays. */
function aroundObjection({ around }: CommandPart, options: CommandOptions): Objection {
  for (const [program = '', ...args] of around) {
    const name = programName(program, options.platform);
    const objection = own(RULES, name)?.(args, options);
    if (objection?.liftedBy === null) return objection;
  }
  return null;
}

function neverReason(
  name: string,
  args: readonly string[],
  options: CommandOptions,
): string | null {
  const bad = [name, ...unreadNames(name, args, options)].find((one) => NEVER.test(one));
  if (bad !== undefined) return `${bad} is never run.`;
  const deleted = ruinousDelete(name, args, options);
  return deleted === null ? null : `${name} never deletes ${deleted}.`;
}

/** Flags may precede the verb. If the first word is a flag, the first bare word may belong to it. */
function isDenied(pattern: readonly string[], name: string, args: readonly string[]): boolean {
  if (pattern[0] !== name) return false;
  const bare = args.filter((arg) => !arg.startsWith('-'));
  const starts = args[0]?.startsWith('-') ? [bare, bare.slice(1)] : [bare];
  return starts.some((words) => matchesWords(commandPattern(pattern), [name, ...words]));
}

function objectionTo(name: string, part: CommandPart, options: CommandOptions): Objection {
  const {
    words: [program = '', ...args],
    isLine,
  } = part;
  const isOwn = isOwnProgram(program, options);
  const rule = own(RULES, name);
  if (rule !== undefined) return rule(args, options) ?? behindObjection(name, args, part, options);
  const other = objectionToOther(name, args, options);
  if (other !== undefined) return other;
  if (isOwn) return ownObjection(name, part, options);
  // A Windows shell has commands of its own with these names.
  const isOfShell = options.platform !== 'win32' || isLine;
  if (isReadOnlyProgram(name) && !isOfShell && options.programHints.get(name) !== undefined)
    return { reason: `${name} is no program of Windows.`, liftedBy: name, denied: [name, '*'] };
  if (isReadOnlyProgram(name))
    return readOnlyObjection(name, args, options) ?? behindObjection(name, args, part, options);
  const what = isShell(name) ? `${program} is a shell; shells are` : `${program} is`;
  return { reason: `${what} not allowed here.`, liftedBy: name };
}

/**
 * A rule cannot allow what would not run anyway. A file of the workspace is started only from a folder in
 * which a language keeps programs, unless another command starts it.
 */
function ownObjection(name: string, part: CommandPart, options: CommandOptions): Objection {
  const [program = ''] = part.words;
  const reason = `${program} lies in the workspace; files there are not run as programs.`;
  const isBehind = part.isLine || part.around.length > 0;
  return isBehind || isInProgramFolder(program, options.platform)
    ? { reason, liftedBy: name, denied: [program] }
    : { reason, liftedBy: null, instead: insteadOfOwn(program, options) };
}

/** How a file of the workspace is run: by the program that its first line names. */
function insteadOfOwn(
  file: string,
  {
    platform,
    commandDescriptions: { runExamples },
    interpreterOf,
    isFile,
  }: Pick<CommandOptions, 'platform' | 'commandDescriptions' | 'interpreterOf' | 'isFile'>,
): string {
  const asked = (line: string): string => `It can be asked for as ${line}, which needs a yes.`;
  const byName = (example: string): string =>
    `Name the program that runs it, and it as a file: ${example}`;
  if (platform === 'win32') {
    const [, name = ''] = /^\.[\\/]([\w.-]+)$/.exec(file) ?? [];
    const all = /\.(?:cmd|bat)$/i.test(name)
      ? [name]
      : [`${name}.bat`, `${name}.cmd`].filter(isFile);
    return name !== '' && all[0] !== undefined ? asked(`cmd /c ${all[0]}`) : byName(runExamples);
  }
  const named = interpreterOf(file) ?? (file.endsWith('.sh') ? 'sh' : null);
  if (named === null || !/^[\w./-]+$/.test(file)) return byName(runExamples);
  return isShell(named) ? asked(`${named} ${file}`) : byName(`${named} ${file}`);
}

/**
 * An objection behind another program: only a program that is started directly is made harmless at its start.
 */
function behindObjection(
  name: string,
  args: readonly string[],
  { around, isLine }: CommandPart,
  { platform }: CommandOptions,
): Objection {
  if (around.length === 0 || isLine) return null;
  const isPlain = name !== 'git' && pathsRead(name, args, platform).below.length === 0;
  return isPlain
    ? null
    : { reason: `${name} is not allowed behind another program.`, liftedBy: name };
}

const findingFor = (
  objection: NonNullable<Objection>,
  part: CommandPart,
  options: CommandOptions,
): CommandFinding => ({
  ...findingOf(objection, part, options),
  ...(objection.isOutside ? { instead: 'Work with files of the workspace.' } : {}),
  ...defined({ instead: objection.instead }),
});

function findingOf(
  { reason, liftedBy, denied, isByRun }: NonNullable<Objection>,
  part: CommandPart,
  options: CommandOptions,
): CommandFinding {
  if (liftedBy === null) return finding('never', reason, part, options);
  if (denied !== undefined)
    return { ...finding('deny', reason, part, options), patterns: [denied] };
  const name = programName(part.words[0] ?? '', options.platform);
  const isKnown = Object.hasOwn(RULES, name);
  const isForSandbox = isByRun === true || (!isKnown && !leavesSandbox(name));
  return { ...finding('ask', reason, part, options), isForSandbox };
}

function finding(
  effect: CommandFinding['effect'],
  reason: string,
  part: CommandPart,
  options: CommandOptions,
): CommandFinding {
  const [program = ''] = part.words;
  const name = programName(program, options.platform);
  return {
    effect,
    reason,
    instead: insteadFor(name, options),
    patterns: [],
    isOffered: effect === 'ask' && !isShell(name),
    isForSandbox: false,
  };
}

function insteadFor(name: string, { programHints, commandDescriptions }: CommandOptions): string {
  if (name === 'chmod')
    return `Files need no permission to be run: ${commandDescriptions.runExamples}`;
  return programHints.get(name) ?? own(INSTEAD, name) ?? '';
}
