/** Pure: the command rules of all languages and build tools, as the policy needs them. */
import { lazily } from '../../lib/lazily.ts';
import { own } from '../../lib/own.ts';
import { cargo } from '../builds/cargo.ts';
import { cmake } from '../builds/cmake.ts';
import { make } from '../builds/make.ts';
import { maven } from '../builds/maven.ts';
import type { Installed, Language } from '../language.ts';
import { LANGUAGES, languageOf } from '../languages.ts';
import { isAbout } from '../languages-of.ts';
import type {
  BuildFiles,
  BuildLook,
  BuildsNow,
  BuildTexts,
  CheckerCall,
  CommandRule,
  CommandRuleOptions,
  ExpandedCommand,
  LineBehind,
  Unwrap,
} from './command-rule.ts';

/** Build tools that belong to no language here. */
const BUILDS = [cargo, cmake, make, maven];
const COMMANDS = [...LANGUAGES.flatMap(({ commands }) => commands ?? []), ...BUILDS];

export const languageRules: { readonly [program: string]: CommandRule } = Object.assign(
  {},
  ...COMMANDS.map(({ rules }) => rules),
);

export const languageUnwraps: { readonly [program: string]: Unwrap } = Object.assign(
  {},
  ...COMMANDS.map(({ unwraps }) => unwraps),
);

export const insteadOfCommands: { readonly [program: string]: string } = Object.assign(
  {},
  ...COMMANDS.map(({ instead }) => instead),
);

const CHECKS: { readonly [program: string]: CheckerCall } = Object.assign(
  {},
  ...COMMANDS.map(({ checks }) => checks),
);

/** True for a call of a checker or linter that changes nothing, even through a program that runs programs. */
export function onlyChecks([written = '', ...args]: readonly string[]): boolean {
  const program = plainCommandName(written);
  const inner = own(languageUnwraps, program)?.(args);
  if (inner) return inner.words.length <= args.length && onlyChecks(inner.words);
  const check = own(CHECKS, program);
  if (check === undefined) return false;
  const isBegun = check.begins === undefined || args[0] === check.begins;
  const hasNeeded = (check.needs ?? []).every((word) => args.includes(word));
  return (
    isBegun && hasNeeded && args.every((arg) => !arg.startsWith('-') || check.options.test(arg))
  );
}

/** True for a call that only shows what is installed, even through a program that runs programs. */
export function onlyShows(words: readonly string[]): boolean {
  const [program = '', ...args] = words;
  const inner = own(languageUnwraps, program)?.(args);
  if (inner) return inner.words.length < words.length && onlyShows(inner.words);
  return COMMANDS.some(({ shows }) => shows?.(plainCommandName(program), args) === true);
}

/** Patterns of commands that are denied without asking. */
export const deniedCommands: readonly string[] = COMMANDS.flatMap(({ denied }) => denied ?? []);

const VERBS: { readonly [program: string]: string } = Object.assign(
  { git: 'add commit init' },
  ...COMMANDS.map(({ verbs }) => verbs),
);

/** True if a rule may allow this word of a program with any words after it. */
export const isVerbOf = (program: string, word: string): boolean =>
  own(VERBS, program)?.split(' ').includes(word) === true;

const LINES: {
  readonly [program: string]: (
    args: readonly string[],
    builds: BuildsNow,
  ) => ExpandedCommand | null;
} = Object.assign({}, ...COMMANDS.map(({ lines }) => lines));

/** The command lines that a command stands for; `null`: none. */
export const linesBehind = (
  name: string,
  args: readonly string[],
  builds: BuildsNow,
): ExpandedCommand | null => own(LINES, name)?.(args, builds) ?? null;

/** The objection to a program that no table names; `undefined`: the program is unknown. */
export function objectionToOther(
  name: string,
  args: readonly string[],
  options: CommandRuleOptions,
) {
  for (const { others } of COMMANDS) {
    const objection = others?.(name, args, options);
    if (objection !== undefined) return objection;
  }
  return undefined;
}

/** True for the name of a file by which a folder is built. */
export const isBuildFile = (name: string): boolean => buildFiles().has(name);

const buildFiles = lazily(() => new Set(COMMANDS.flatMap(({ builds }) => builds?.files ?? [])));

/** What the workspace currently says about its builds. */
export const takeBuilds = (view: BuildLook): BuildTexts =>
  Object.assign({}, ...COMMANDS.map(({ builds }) => builds?.take(view)));

/**
 * What the build files say that a command with certain words runs. The build tool of its program knows how
 * the words name a line.
 */
export function behindBuilds(
  view: BuildFiles,
): (words: readonly string[]) => readonly LineBehind[] {
  const tools = COMMANDS.map(({ rules, builds }) => ({ rules, behind: builds?.behind?.(view) }));
  return (words) => {
    const name = plainCommandName(words[0] ?? '');
    const knowing = tools.filter(({ rules }) => Object.hasOwn(rules, name));
    return (knowing.length > 0 ? knowing : tools).flatMap(({ behind }) => behind?.(words) ?? []);
  };
}

/** For people: which build commands may run without asking. */
export const buildVerbs = (taken: BuildTexts): readonly string[] =>
  COMMANDS.flatMap(({ builds }) => builds?.verbs(taken) ?? []);

/** What a run is told about commands. */
export interface CommandDescriptions {
  /** Which commands are allowed. */
  readonly allowed: string;
  /** How files are run. */
  readonly runExamples: string;
}

/** Enough to tell which languages a folder is about. */
const MAX_FILES = 1_000;

/**
 * Goal and folder are searched at the first command that is not simply allowed.
 * @param files of the folder
 */
export function commandDescriptionsFor(
  goal: string,
  files: (count: number) => readonly string[] = () => [],
): CommandDescriptions {
  const commandsOfGoal = lazily(() =>
    describedLanguages(goal, files(MAX_FILES)).flatMap(({ commands }) => commands ?? []),
  );
  return {
    get allowed() {
      return commandsOfGoal()
        .map(({ description }) => description)
        .join(', ');
    },
    get runExamples() {
      return commandsOfGoal()
        .map(({ runExample }) => runExample)
        .join(' or ');
    },
  };
}

/** What may run without asking, as far as it is installed here and lies in the workspace. */
export const commandsAtHand = (
  goal: string,
  files: (count: number) => readonly string[],
  installed: Installed,
  taken: BuildTexts,
): readonly string[] => {
  const said = describedLanguages(goal, files(MAX_FILES), installed).flatMap(
    ({ commands, runs }) =>
      commands && runs?.canRun(installed) !== false
        ? commands.description.split(', ').filter((one) => isAtHand(one, installed))
        : [],
  );
  const begun = said.flatMap((one) => /^(.* )[A-Z]+$/.exec(one)?.[1] ?? []);
  const isNew = (verb: string): boolean => !begun.some((one) => verb.startsWith(one));
  return [...said, ...buildVerbs(taken).filter(isNew)];
};

/** For an interpreter, one name stands for all the names that it may have. */
function isAtHand(said: string, installed: Installed): boolean {
  const [program = ''] = said.split(/[ |]/);
  const isLookedFor = LANGUAGES.some(({ runs }) => runs?.programs((one) => one).includes(program));
  return !isLookedFor || installed.has(program) || isInterpreter(program);
}

/**
 * Languages that a run may need are told; any other takes no words.
 * @param installed left out: everything counts as installed
 */
function describedLanguages(
  goal: string,
  files: readonly string[],
  installed?: Installed,
): readonly Language[] {
  const canRun = ({ commands, runs }: Language): boolean =>
    commands !== undefined && (installed === undefined || runs?.canRun(installed) !== false);
  const ofFiles = new Set(files.map(languageOf));
  const here = LANGUAGES.filter((one) => isAbout(goal, one) || ofFiles.has(one));
  return here.some(canRun)
    ? here
    : LANGUAGES.filter((one) => here.includes(one) || one.commands?.isDescribedByDefault);
}

/** Folders in the user's home in which programs lie, or from which they read. */
export const toolFolders: readonly string[] = [
  '.asdf',
  '.local/bin',
  '.local/share/mise',
  ...COMMANDS.flatMap(({ homeFolders }) => homeFolders ?? []),
];

/** True for a program that runs a given file. */
export const isInterpreter = (program: string): boolean =>
  COMMANDS.some(({ runExample }) => runExample.startsWith(`${plainCommandName(program)} FILE`));

/** The name that rules use: without a version, if a language's programs carry one. */
export const plainCommandName = (program: string): string =>
  COMMANDS.reduce((name, { plainName }) => plainName?.(name) ?? name, program);
