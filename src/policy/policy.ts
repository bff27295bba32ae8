/** What a run may do: the answers to what execution asks before a tool prepares anything. */
import type { CommandsSaid } from '../languages/allowed-commands.ts';
import type { Verdict } from '../languages/command-rule.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Decide } from '../tools/decision.ts';
import { splitCommand } from '../tools/split-command.ts';
import { judgeCommandLine } from './commands.ts';
import { leadsOutside } from './leads-outside.ts';

export interface PolicyOptions {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  /** Programs allowed beyond the built-in list, by their names. */
  readonly allow: readonly string[];
  /** What to use instead of a program, by its name. */
  readonly insteadOf: Pick<ReadonlyMap<string, string>, 'get'>;
  /** What the model is told of the commands that are allowed. */
  readonly said: CommandsSaid;
}

export interface Policy {
  readonly decide: Decide;
  /** Why a command of a plan would be refused, `null` when it may run. */
  commandFault(cmd: string): string | null;
}

/**
 * Decides about command lines; everything else that tools do they confine themselves. Nothing is
 * asked yet: who may be asked is known to nobody here.
 */
export function policyOf(options: PolicyOptions): Policy {
  const judge = (cmd: string): Judged => judgeLine(cmd, options);
  return {
    decide: async ({ target }) => {
      if (target?.kind !== 'command') return { kind: 'allow' };
      const judged = judge(target.text);
      // A line that cannot be read never runs: its tool refuses it and says what is wrong with it.
      return judged.kind === 'unreadable' ? { kind: 'allow' } : judged;
    },
    commandFault: (cmd) => {
      const judged = judge(cmd);
      return judged.kind === 'allow' ? null : `${cmd}: ${judged.reason} ${judged.hint}`;
    },
  };
}

type Judged =
  | Verdict
  | { readonly kind: 'unreadable'; readonly reason: string; readonly hint: string };

/** The one judge of a command line, in a plan, a call or a check. */
function judgeLine(cmd: string, options: PolicyOptions): Judged {
  const { platform } = options.fs;
  const split = splitCommand(cmd, platform);
  if (!split.ok) return { kind: 'unreadable', reason: split.reason, hint: split.hint };
  return judgeCommandLine(split, {
    ...options,
    platform,
    isOutside: (path) => leadsOutside(path, options),
  });
}
