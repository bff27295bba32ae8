/** What a run may do: the answers to what execution asks before a tool prepares anything. */
import type { CommandsSaid } from '../languages/allowed-commands.ts';
import type { Verdict } from '../languages/command-rule.ts';
import type { FileSystem } from '../lib/file-system.ts';
import type { Decide, Decision, PolicyRequest } from '../tools/decision.ts';
import { splitCommand } from '../tools/split-command.ts';
import { judgeCommandLine } from './commands.ts';
import { leadsOutside } from './leads-outside.ts';
import { onlyLooks } from './only-looks.ts';

export interface PolicyOptions {
  readonly fs: FileSystem;
  /** Absolute real path. */
  readonly workspace: string;
  /** Programs allowed beyond the built-in list, by their names. */
  readonly allow: readonly string[];
  /** Rules that let tools of servers be called: `mcp(server)` and `mcp(server.tool)`. */
  readonly mayCall?: readonly string[];
  /** What to use instead of a program, by its name. */
  readonly insteadOf: Pick<ReadonlyMap<string, string>, 'get'>;
  /** What the model is told of the commands that are allowed. */
  readonly said: CommandsSaid;
}

export interface Policy {
  readonly decide: Decide;
  /** Why a command of a plan would be refused, `null` when it may run. */
  commandFault(cmd: string): string | null;
  /** True for a command that runs tests or only reads what git knows. */
  onlyLooks(cmd: string): boolean;
}

/**
 * Decides about command lines; everything else that tools do they confine themselves. Nothing is
 * asked yet: who may be asked is known to nobody here.
 */
export function policyOf(options: PolicyOptions): Policy {
  const judge = (cmd: string): Judged => judgeLine(cmd, options);
  return {
    decide: async ({ target, server }) => {
      if (server !== undefined) return judgeServer(server, options.mayCall ?? []);
      if (target?.kind !== 'command') return { kind: 'allow' };
      const judged = judge(target.text);
      // A line that cannot be read never runs: its tool refuses it and says what is wrong with it.
      return judged.kind === 'unreadable' ? { kind: 'allow' } : judged;
    },
    onlyLooks: (cmd) => onlyLooks(cmd, options),
    commandFault: (cmd) => {
      const judged = judge(cmd);
      return judged.kind === 'allow' ? null : `${cmd}: ${judged.reason} ${judged.hint}`;
    },
  };
}

/** Nobody here knows what such a tool does, so it takes a rule. */
function judgeServer(
  { name, tool }: NonNullable<PolicyRequest['server']>,
  mayCall: readonly string[],
): Decision {
  if (mayCall.some((rule) => rule === `mcp(${name})` || rule === `mcp(${name}.${tool})`))
    return { kind: 'allow' };
  const reason = `${name}.${tool} is a tool of an MCP server that no rule allows.`;
  return { kind: 'ask', reason, hint: 'Use another tool.' };
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
