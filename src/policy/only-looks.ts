/** Commands that look and change nothing that a person made: tests, checkers, git that reads, programs that show, versions. Pure. */
import { onlyChecks, onlyShows } from '../languages/allowed-commands.ts';
import type { PolicyOptions } from '../languages/command-rule.ts';
import { programName } from '../languages/program-name.ts';
import { runsTests } from '../languages/test-runs.ts';
import { type SplitCommand, splitCommand } from '../tools/split-command.ts';
import { isLooking, lookingObjection } from './command/looking.ts';
import { gitRule } from './git.ts';

/** A line that cannot be read runs nothing: its tool says what is wrong with it. */
export function onlyLooks(
  cmd: string,
  options: PolicyOptions,
  split: SplitCommand = splitCommand(cmd, options.platform),
): boolean {
  if (!split.ok || runsTests(cmd)) return true;
  const { args } = split;
  const words = [split.program, ...args];
  if (onlyChecks(words) || onlyShows(words)) return true;
  const name = programName(split.program, options.platform);
  if (name === 'git') return gitRule(args, options) === null;
  if (asksVersion(split.program, args)) return true;
  return isLooking(name) && lookingObjection(name, args, options) === null;
}

/** Of an installed program: one that lies in a folder may do anything with the word. */
const asksVersion = (program: string, args: readonly string[]): boolean =>
  !/[\\/]/.test(program) && args.length === 1 && /^(?:--version|-V|-v)$/.test(args[0] ?? '');
