/** The words of the command policy, and what rules share. */

export interface CommandLine {
  /** As the model wrote it. */
  readonly program: string;
  readonly args: readonly string[];
}

export interface PolicyOptions {
  readonly platform: NodeJS.Platform;
  /** True for a path, relative to the workspace or absolute, that leads out of it. */
  isOutside(path: string): boolean;
  readonly builds: BuildsNow;
}

/** What a workspace says of how it is built, when the run opened and now; by keys of its tools. */
export interface BuildsNow {
  /** `null`: nothing was taken. */
  readonly taken: BuildTexts | null;
  now(): BuildTexts;
  /** True where a tool or a command of this run changed a file with such a path. */
  hasChanged(is: (path: string) => boolean): boolean;
}

/** Of a command that goes by nothing that lies there. */
export const NO_BUILDS: BuildsNow = { taken: null, now: () => ({}), hasChanged: () => false };

export type BuildTexts = { readonly [key: string]: string };

/** Of a folder that nobody looked at when the run opened: whatever lies there may be new. */
export const unseenBuilds = (now: BuildsNow['now']): BuildsNow => ({
  taken: {},
  now,
  hasChanged: () => true,
});

/** What a build tool may look at. Paths are relative to the workspace, with `/`. */
export interface BuildLook {
  readText(path: string): string | null;
}

/** A program that builds and tests by what lies in the workspace. */
export interface BuildTool {
  /** Bounded, without chance: texts by which a change is known. `{}` where it has nothing here. */
  take(look: BuildLook): BuildTexts;
  /** What may be said of it at the start: `npm run build`. */
  verbs(taken: BuildTexts): readonly string[];
}

/**
 * What one program's rule says: `null` is yes. `liftedBy` names the program whose permission sets the
 * objection aside; `null`: nothing does.
 */
export type Objection = {
  readonly reason: string;
  readonly liftedBy: string | null;
  /** Of one that nobody is asked about: the pattern of such commands. Left out: a person may be asked. */
  readonly denied?: readonly string[];
  /** True where all that speaks against it is what this run changed: in a sandbox that may run. */
  readonly isByRun?: true;
} | null;
export type Rule = (args: readonly string[], options: PolicyOptions) => Objection;

/** The command that a program runs for another; `null`: it runs none. */
export type Unwrap = (args: readonly string[]) => {
  readonly words: readonly string[];
  /** True where a program that is not here is fetched, and then run. */
  readonly isFetched?: true;
  /** True where one that a folder of the workspace has is taken from there, before any of PATH. */
  readonly isFromFolder?: true;
} | null;

/** The command lines that a command stands for. */
export interface Lines {
  readonly texts: readonly string[];
  /** What of them is not as it was when the run opened, in a sentence; `null`: nothing is. */
  readonly changed: string | null;
}

/** The commands of a language that may run without asking. */
/** A call of a program that checks: all of its options are known to change nothing. */
export interface Check {
  /** Words that have to be among its own. */
  readonly needs?: readonly string[];
  /** Words that it begins with. */
  readonly begins?: string;
  /** Whole options, a value behind `=` included. */
  readonly options: RegExp;
}

export interface CommandRules {
  /** True: a run of any goal is told of them; else only one whose goal names the language. */
  readonly isAlwaysDescribed: boolean;
  /** By the name that rules go by. */
  readonly rules: { readonly [program: string]: Rule };
  /** The same in words, as the model is told. */
  readonly description: string;
  /** What to do instead of programs that are not allowed. */
  readonly instead: { readonly [program: string]: string };
  /** The name that rules go by for a program named with its version. */
  plainName?(program: string): string;
  readonly runExample: string;
  /** Programs of its own that run the program in their arguments. */
  readonly unwraps?: { readonly [program: string]: Unwrap };
  /** True for a command that makes or changes the folders of programs of a workspace. */
  installs?(name: string, args: readonly string[]): boolean;
  /** Programs of its own that check and change nothing, where they are called with nothing else. */
  readonly checks?: { readonly [program: string]: Check };
  /** True for a call of one of its programs that only shows what is installed or known. */
  shows?(name: string, args: readonly string[]): boolean;
  /** Commands that nobody is asked about, as patterns: `npm publish *`. */
  readonly denied?: readonly string[];
  /** By the program that runs them; `null`: no lines of anybody. */
  readonly lines?: {
    readonly [program: string]: (args: readonly string[], builds: BuildsNow) => Lines | null;
  };
  /** Programs that no table names, such as those of installed packages; `undefined`: not known. */
  others?(name: string, args: readonly string[], options: PolicyOptions): Objection | undefined;
  readonly builds?: BuildTool;
  /** Folders of a home, with `/`, that its programs lie in or read from; none with anybody's keys. */
  readonly homeFolders?: readonly string[];
}

export const outside = (program: string, path: string): Objection => ({
  reason: `${program} would use ${path}, which lies outside the workspace.`,
  liftedBy: null,
});

/** It would go by what this run has changed. */
export const changedByRun = (liftedBy: string, reason: string): Objection => ({
  ...{ reason, liftedBy },
  isByRun: true,
});

export const refuse = (liftedBy: string, reason: string): Objection => ({ reason, liftedBy });

export const splitFlag = (arg: string): [string, string | undefined] => {
  const at = arg.startsWith('-') ? arg.indexOf('=') : -1;
  return at === -1 ? [arg, undefined] : [arg.slice(0, at), arg.slice(at + 1)];
};

/** True when `arg` is one of the flags or, for a long one, any beginning of it: some programs take that. */
export function isFlag(arg: string, flags: readonly string[]): boolean {
  const [name] = splitFlag(arg);
  if (/^--./.test(name)) return flags.some((flag) => flag.startsWith(name));
  return flags.includes(name);
}

/** From the root, from above, from home, from a variable that the program itself puts in. */
const FROM_ELSEWHERE = /^(?:[\\/]|\.\.(?:[\\/]|$)|~|\$|%\w|[A-Za-z]:|file:)/;
const ADDRESS = /^(?!file:)[a-z][a-z\d+.-]*:\/\//i;
/** A path joined to a short option, `-c/x.ini`, whatever other letters stand before it. */
const JOINED = /^-[A-Za-z]+?((?:\.{0,2}[\\/]|~|\$|[A-Za-z]:[\\/]).*)$/s;

/** All that a program may read as a path in one of its arguments: `x`, `--opt=x`, `-ox`, `k=x`, `html:x`. */
export function pathsIn(arg: string): readonly string[] {
  const [name, value] = splitFlag(arg);
  const given = arg.startsWith('-') ? (value ?? JOINED.exec(name)?.[1]) : arg;
  if (given === undefined || given === '' || ADDRESS.test(given)) return [];
  const parts = given.split(/[=:,;]/).slice(1);
  return [given, ...parts]
    .map((part) => part.replace(/^[\s"']+/, ''))
    .filter((part) => part !== '');
}

/** Whether others than this machine could reach what listens there: `0.0.0.0:9229`, `[::]`, a name. */
export function listensToOthers(place: string): boolean {
  if (/^\d*$/.test(place)) return false;
  const host = /^\[(.*)\]/.exec(place)?.[1] ?? (/:.*:/.test(place) ? place : place.split(':')[0]);
  return !/^(?:|localhost|127(?:\.\d+){3}|::1)$/i.test(host ?? '');
}

/** The first thing in the arguments that leads out of the workspace when it is read as a path. */
export function pathOutside(args: readonly string[], options: PolicyOptions): string | null {
  for (const arg of args) {
    for (const [at, path] of pathsIn(arg).entries()) {
      // What stands inside a word is only a path where it begins like one.
      if (at > 0 && !FROM_ELSEWHERE.test(path)) continue;
      if (/^(?:~|\$|%\w)/.test(path) || options.isOutside(path)) return path;
    }
  }
  return null;
}
