/** What rules and defaults say about one command. */
import type { CommandDescriptions } from '../../languages/commands/allowed-commands.ts';
import type { CommandRuleOptions } from '../../languages/commands/command-rule.ts';
import type { PathDoes } from '../rules/rule.ts';

/** A path that a command reads or changes, as written. */
export interface TouchedPath {
  readonly does: PathDoes;
  readonly path: string;
  /** Set for a folder that is read as a whole and has more content than was examined. */
  readonly isUnseen?: true;
  /** Set if nothing of its content is shown, only its name, dates or size. */
  readonly isOnlyName?: true;
}

/** One way to name a command in a rule. */
export interface Form {
  readonly words: readonly string[];
  /** How many of the words a rule must name explicitly to allow by this form. */
  readonly least: number;
  /** Set if only restrictions apply to this form. */
  readonly onlyHolds?: true;
}

/** One program that would run: the written one, or one that it runs. */
export interface CommandPart {
  /** The program and its arguments, as written. */
  readonly words: readonly string[];
  readonly forms: readonly Form[];
  /** Why it needs a question even if it is allowed itself; empty: it does not. */
  readonly doubt: string;
  /** True for a line behind a command that is judged itself; of the defaults, only denials apply to it. */
  readonly isLine: boolean;
  /** Set for words that are only possibly a command. */
  readonly isGuess?: true;
  /** The commands around it, each with its arguments. */
  readonly around: readonly (readonly string[])[];
}

export interface CommandFinding {
  /** `never`: not allowed for anyone. */
  readonly effect: 'ask' | 'deny' | 'never';
  readonly reason: string;
  /** An alternative, or an empty text. */
  readonly instead: string;
  /** Patterns; a rule that lifts a denial must be at least as exact as one of them. */
  readonly patterns: readonly (readonly string[])[];
  /** False for things without an offered rule, such as a shell. */
  readonly isOffered: boolean;
  /** True if it is harmless in a sandbox. */
  readonly isForSandbox: boolean;
}

export interface CommandOptions extends CommandRuleOptions {
  /** What tools say about the programs that they replace, by program name. */
  readonly programHints: Pick<ReadonlyMap<string, string>, 'get'>;
  readonly commandDescriptions: CommandDescriptions;
  /** True if the command runs in a subfolder of the workspace. */
  readonly isElsewhere: boolean;
  /** True if a subtask works in a copy of the workspace, as a run of its own. */
  readonly isInCopy?: boolean | undefined;
  exists(path: string): boolean;
  isFile(path: string): boolean;
  /** The program that a script of the workspace names in its first line; `null`: none. */
  interpreterOf(path: string): string | null;
  /** True if a path leads into a folder in which nothing may be changed. */
  isProtected(path: string): boolean;
  /** The first protected entries at or below a folder; absolute. */
  protectedBelow(
    path: string,
    look: { readonly followsLinks?: boolean; readonly leavesOut?: boolean },
  ): readonly TouchedPath[];
}
