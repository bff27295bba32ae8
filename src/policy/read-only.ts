/**
 * Recognises read-only commands, which change nothing that a person made: tests, checkers, git that only reads,
 * programs that display, version queries. Pure.
 */
import { onlyChecks, onlyShows } from '../languages/commands/allowed-commands.ts';
import type { CommandRuleOptions } from '../languages/commands/command-rule.ts';
import { onlyTests } from '../languages/commands/only-tests.ts';
import { programName } from '../languages/commands/program-name.ts';
import { type SplitCommand, splitCommand } from '../tools/commands/split-command.ts';
import { pathsChanged } from './command/changing.ts';
import { isReadOnlyProgram, readOnlyObjection } from './command/read-only-programs.ts';
import { gitRule } from './git.ts';

/**
 * A line that cannot be parsed runs nothing; its tool reports the fault. Looking outside the folder changes nothing
 * either; whether it is allowed is decided elsewhere.
 */
export function isReadOnly(
  cmd: string,
  given: CommandRuleOptions,
  split: SplitCommand = splitCommand(cmd, given.platform),
): boolean {
  const options = { ...given, isOutside: () => false };
  if (!split.ok) return true;
  const { program, args } = split;
  const words = [program, ...args];
  const name = programName(program, options.platform);
  if (name === 'git') return gitRule(args, options) === null;
  if (onlyChecks(words) || onlyShows(words) || asksVersion(program, args)) return true;
  // A program that changes files may have the same words as a test.
  if (pathsChanged(name, args).length > 0) return false;
  if (onlyTests([name, ...args])) return true;
  return isReadOnlyProgram(name) && readOnlyObjection(name, args, options) === null;
}

/** Only for installed programs: one given by path may do anything with that word. */
const asksVersion = (program: string, args: readonly string[]): boolean =>
  !/[\\/]/.test(program) && args.length === 1 && /^(?:--version|-V|-v)$/.test(args[0] ?? '');
