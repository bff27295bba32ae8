/** What rules and defaults say of one command. */
import type { CommandDescriptions } from '../../languages/commands/allowed-commands.ts';
import type { PolicyOptions } from '../../languages/commands/command-rule.ts';
import type { PathDoes } from '../rules/rule.ts';

/** A path that a command reads or changes, as it was written. */
export interface TouchedPath {
  readonly does: PathDoes;
  readonly path: string;
  /** Of a folder that is read as a whole, and that has more in it than was looked at. */
  readonly isUnseen?: true;
}

/** A way to name a command in a rule. */
export interface Form {
  readonly words: readonly string[];
  /** How many of the words a rule must name itself before it may allow by them. */
  readonly least: number;
  /** True where only what is held back is held against it. */
  readonly onlyHolds?: true;
}

/** One program that would run: what was written, or what stands behind that. */
export interface Part {
  /** The program as it was written, and its arguments. */
  readonly words: readonly string[];
  readonly forms: readonly Form[];
  /** Why it asks though it may be allowed itself; '': it does not. */
  readonly doubt: string;
  /** A line behind a command that is judged itself: of its defaults only what is denied counts. */
  readonly isLine: boolean;
  /** Commands around it, each with its arguments. */
  readonly around: readonly (readonly string[])[];
}

export interface CommandFinding {
  /** `never`: whoever asks. */
  readonly effect: 'ask' | 'deny' | 'never';
  readonly reason: string;
  /** What can be done instead; ''. */
  readonly instead: string;
  /** Patterns, each at least as wide as a rule that sets a denial aside. */
  readonly patterns: readonly (readonly string[])[];
  /** False for what no rule is offered for: a shell, say. */
  readonly isOffered: boolean;
  /** True where nothing speaks against it in a sandbox. */
  readonly isForSandbox: boolean;
}

export interface CommandOptions extends PolicyOptions {
  /** What tools say of the programs they stand in for, by their names. */
  readonly programHints: Pick<ReadonlyMap<string, string>, 'get'>;
  readonly commandDescriptions: CommandDescriptions;
  /** True where the command does not work in the workspace itself but in a folder of it. */
  readonly isElsewhere: boolean;
  /** True where a subtask works in a copy of the workspace as a run of its own. */
  readonly isInCopy?: boolean | undefined;
  exists(path: string): boolean;
  isFile(path: string): boolean;
  /** True where a path leads into a folder in which nothing may be changed. */
  isProtected(path: string): boolean;
  /** What at or below a folder is not read without a yes, the first few; absolute. */
  protectedBelow(path: string): readonly TouchedPath[];
}
