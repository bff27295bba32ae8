/** The vocabulary of the command policy, and helpers that rules share. */
import { sha256 } from '../../lib/sha256.ts';

export interface CommandLine {
  /** As the model wrote it. */
  readonly program: string;
  readonly args: readonly string[];
}

export interface CommandRuleOptions {
  readonly platform: NodeJS.Platform;
  /** True for a path, relative to the workspace or absolute, that leads outside. */
  isOutside(path: string): boolean;
  /** The absolute folders that may be the root of the repository in which git works in a folder. */
  repositoriesAt?(folder: string): readonly string[];
  readonly builds: BuildsNow;
}

/** What a workspace says about its builds, when the run opened and now; by the keys of its tools. */
export interface BuildsNow {
  /** `null`: nothing was recorded. */
  readonly taken: BuildTexts | null;
  now(): BuildTexts;
  /** True if a tool or a command of this run changed a file with such a path. */
  hasChanged(is: (path: string) => boolean): boolean;
  /** Why no build file counts as unchanged; left out: hashes were recorded. */
  readonly unseen?: string;
  /** All build files in folders below, as they are now; left out: nobody looked. */
  below?(): BuildsBelow;
}

export interface BuildsBelow {
  /** The folders of the build files, relative with `/`, without folders behind a link. */
  readonly folders: readonly string[];
  readonly texts: readonly BuildTexts[];
  /** True if no build file is new, gone or changed since the run opened. */
  readonly areAsTaken: boolean;
}

/** For a command that does not depend on builds. */
export const NO_BUILDS: BuildsNow = { taken: null, now: () => ({}), hasChanged: () => false };

export type BuildTexts = { readonly [key: string]: string };

/** What a build tool may look at. Paths are relative to the workspace, with `/`. */
export interface BuildLook {
  readText(path: string): string | null;
}

/** A hash of each of these files that exists. */
export const hashesOf = (files: readonly string[], { readText }: BuildLook): BuildTexts =>
  Object.fromEntries(
    files.flatMap((file) => {
      const text = readText(file);
      return text === null ? [] : [[file, sha256(text)]];
    }),
  );

/** All build files of a workspace. */
export interface BuildFiles extends BuildLook {
  readonly files: readonly string[];
}

/** A line that a command stands for, with the file that says so and the folder where it runs. */
export interface LineBehind {
  readonly text: string;
  readonly file: string;
  readonly folder: string;
}

/** A program that builds and tests according to files of the workspace. */
export interface BuildTool {
  /** Bounded and deterministic: texts by which a change is detected. `{}` if it has no files here. */
  take(view: BuildLook): BuildTexts;
  /** Names of the files by which the tool builds a folder. */
  readonly files: readonly string[];
  /** The commands to list at the start: `npm run build`. */
  verbs(taken: BuildTexts): readonly string[];
  /** What a command may run by the tool's files anywhere in the workspace; a line too many does no harm. */
  behind?(view: BuildFiles): (words: readonly string[]) => readonly LineBehind[];
}

/**
 * The verdict of one program's rule: `null` is yes. `liftedBy` names the program whose permission overrides the
 * objection; `null`: nothing does.
 */
export type Objection = {
  readonly reason: string;
  readonly liftedBy: string | null;
  /** For a command that is denied without asking: its pattern. Left out: a person may be asked. */
  readonly denied?: readonly string[];
  /** True if a path leads outside the workspace. */
  readonly isOutside?: true;
  /** True if the only objection is to what this run changed: a sandboxed command may still run. */
  readonly isByRun?: true;
  /** An alternative, where the program's name suggests none. */
  readonly instead?: string;
} | null;
export type CommandRule = (args: readonly string[], options: CommandRuleOptions) => Objection;

/** The command that a program runs for another; `null`: none. Without `builds` nobody knows the scripts. */
export type Unwrap = (
  args: readonly string[],
  builds?: BuildsNow,
) => {
  readonly words: readonly string[];
  /** True if a program that is not installed is fetched and then run. */
  readonly isFetched?: true;
  /** True if a program in a folder of the workspace takes precedence over PATH. */
  readonly isFromFolder?: true;
} | null;

/** The command lines that a command stands for. */
export interface ExpandedCommand {
  readonly texts: readonly string[];
  /** What has changed since the run opened, in a sentence; `null`: nothing. */
  readonly changed: string | null;
}

/** A call of a checker, all of whose options are known to change nothing. */
export interface CheckerCall {
  /** Words that must be among its arguments. */
  readonly needs?: readonly string[];
  /** Words that it begins with. */
  readonly begins?: string;
  /** Whole options, including a value after `=`. */
  readonly options: RegExp;
}

/** The commands of a language that may run without asking. */
export interface CommandRules {
  /** Told also to a run whose goal and folder are of no language with commands that can run here. */
  readonly isDescribedByDefault?: true;
  /** By the name that rules use. */
  readonly rules: { readonly [program: string]: CommandRule };
  /** The same in words for the model. */
  readonly description: string;
  /** Alternatives to programs that are not allowed. */
  readonly instead?: { readonly [program: string]: string };
  /** The name that rules use for a program whose name carries a version. */
  plainName?(program: string): string;
  readonly runExample: string;
  /** Programs of the language that run the program in their arguments. */
  readonly unwraps?: { readonly [program: string]: Unwrap };
  /** True for a command that creates or changes a workspace's folders of programs. */
  installs?(name: string, args: readonly string[]): boolean;
  /** Programs of the language that only check, if they are called with nothing else. */
  readonly checks?: { readonly [program: string]: CheckerCall };
  /** True for a call of one of its programs that only shows what is installed or known. */
  shows?(name: string, args: readonly string[]): boolean;
  /** Patterns of commands that are denied without asking: `npm publish *`. */
  readonly denied?: readonly string[];
  /** Words that stand for what a program does, whatever follows: `npm install`. By program; a question offers them. */
  readonly verbs?: { readonly [program: string]: string };
  /** By the program that runs them; `null`: it runs no lines. */
  readonly lines?: {
    readonly [program: string]: (
      args: readonly string[],
      builds: BuildsNow,
    ) => ExpandedCommand | null;
  };
  /** Programs that no table names, such as those of installed packages; `undefined`: unknown. */
  others?(
    name: string,
    args: readonly string[],
    options: CommandRuleOptions,
  ): Objection | undefined;
  readonly builds?: BuildTool;
  /** Folders in the user's home, with `/`, in which its programs lie or from which they read; none contains keys. */
  readonly homeFolders?: readonly string[];
}

export const outsideObjection = (
  does: string,
  path: string,
  liftedBy: string | null = null,
): NonNullable<Objection> => ({
  reason: `${does} ${path}, which lies outside the workspace.`,
  liftedBy,
  isOutside: true,
});

export const useOutsideObjection = (program: string, path: string): NonNullable<Objection> =>
  outsideObjection(`${program} would use`, path);

/** The command depends on files that this run has changed. */
export const changedByRun = (liftedBy: string, reason: string): Objection => ({
  reason,
  liftedBy,
  isByRun: true,
});

export const refuse = (liftedBy: string, reason: string): Objection => ({ reason, liftedBy });

export const splitFlag = (arg: string): [string, string | undefined] => {
  const at = arg.startsWith('-') ? arg.indexOf('=') : -1;
  return at === -1 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
};

/** True if `arg` is one of the flags or, for a long flag, any prefix of it: some programs accept that. */
export function isFlag(arg: string, flags: readonly string[]): boolean {
  const [name] = splitFlag(arg);
  if (/^--./.test(name)) return flags.some((flag) => flag.startsWith(name));
  return flags.includes(name);
}

/** From the root, a parent folder, the home, or a variable that the program itself expands. */
const FROM_ELSEWHERE = /^(?:[\\/]|\.\.(?:[\\/]|$)|~|\$|%\w|[A-Za-z]:|file:)/;
const ADDRESS = /^(?!file:)[a-z][a-z\d+.-]*:\/\//i;
/** A path joined to a short option, `-c/x.ini`, after any other letters. */
const JOINED = /^-[A-Za-z]+?((?:\.{0,2}[\\/]|~|\$|[A-Za-z]:[\\/]).*)$/s;

/** Everything in one argument that a program may read as a path: `x`, `--opt=x`, `-ox`, `k=x`, `html:x`. */
export function pathsIn(arg: string): readonly string[] {
  const [name, value] = splitFlag(arg);
  const candidate = arg.startsWith('-') ? (value ?? JOINED.exec(name)?.[1]) : arg;
  if (candidate === undefined || candidate === '' || ADDRESS.test(candidate)) return [];
  const parts = candidate.split(/[=:,;]/).slice(1);
  return [candidate, ...parts]
    .map((part) => part.replace(/^[\s"']+/, ''))
    .filter((part) => part !== '');
}

/** Whether other machines could reach what listens there: `0.0.0.0:9229`, `[::]`, a name. */
export function listensToOthers(place: string): boolean {
  if (/^\d*$/.test(place)) return false;
  const host = /^\[(.*)\]/.exec(place)?.[1] ?? (/:.*:/.test(place) ? place : place.split(':')[0]);
  return !/^(?:|localhost|127(?:\.\d+){3}|::1)$/i.test(host ?? '');
}

/** The first part of the arguments that leads outside the workspace if it is read as a path. */
export function pathOutside(args: readonly string[], options: CommandRuleOptions): string | null {
  for (const arg of args) {
    for (const [at, path] of pathsIn(arg).entries()) {
      // A part inside a word counts as a path only if it begins like one.
      if (at > 0 && !FROM_ELSEWHERE.test(path)) continue;
      if (/^(?:~|\$|%\w)/.test(path) || options.isOutside(path)) return path;
    }
  }
  return null;
}

export function pathsInside(
  program: string,
  args: readonly string[],
  options: CommandRuleOptions,
): Objection {
  const path = pathOutside(args, options);
  return path === null ? null : useOutsideObjection(program, path);
}
