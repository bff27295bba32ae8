/** The words of the command policy, and what rules share. */

export interface CommandLine {
  /** As the model wrote it. */
  readonly program: string;
  readonly args: readonly string[];
}

export interface PolicyOptions {
  readonly platform: NodeJS.Platform;
  /** Names of programs allowed beyond the list. */
  readonly allow: readonly string[];
  /** True for a path, relative to the workspace or absolute, that leads out of it. */
  isOutside(path: string): boolean;
}

export type Verdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'deny'; readonly reason: string; readonly hint: string };

/**
 * What one program's rule says: `null` is yes. `liftedBy` names the program whose --allow sets the
 * objection aside; `null`: nothing does.
 */
export type Objection = { readonly reason: string; readonly liftedBy: string | null } | null;
export type Rule = (args: readonly string[], options: PolicyOptions) => Objection;

/** The commands of a language that may run without asking. */
export interface CommandRules {
  /** True: a run of any goal is told of them; else only one whose goal names the language. */
  readonly isSaidAlways: boolean;
  /** By the name that rules go by. */
  readonly rules: { readonly [program: string]: Rule };
  /** The same in words, as the model is told. */
  readonly said: string;
  /** What to do instead of programs that are not allowed. */
  readonly instead: { readonly [program: string]: string };
  /** The name that rules go by for a program named with its version. */
  plainName?(program: string): string;
  /** How a file of its own is run. */
  readonly runExample: string;
}

export const outside = (program: string, path: string): Objection => ({
  reason: `${program} would use ${path}, which lies outside the workspace.`,
  liftedBy: null,
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
function pathsIn(arg: string): readonly string[] {
  const [name, value] = splitFlag(arg);
  const given = arg.startsWith('-') ? (value ?? JOINED.exec(name)?.[1]) : arg;
  if (given === undefined || given === '' || ADDRESS.test(given)) return [];
  const parts = given.split(/[=:,;]/).slice(1);
  return [given, ...parts]
    .map((part) => part.replace(/^[\s"']+/, ''))
    .filter((part) => part !== '');
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
