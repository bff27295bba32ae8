/** Commands that look and change nothing that a person made: tests, git that reads, programs that show. Pure. */
import type { PolicyOptions } from '../languages/command-rule.ts';
import { programName } from '../languages/program-name.ts';
import { runsTests } from '../languages/test-runs.ts';
import { splitCommand } from '../tools/split-command.ts';
import { isLooking, lookingObjection } from './command/looking.ts';
import { gitRule } from './git.ts';

/** A line that cannot be read runs nothing: its tool says what is wrong with it. */
export function onlyLooks(cmd: string, options: PolicyOptions): boolean {
  const split = splitCommand(cmd, options.platform);
  if (!split.ok || runsTests(cmd)) return true;
  const { args } = split;
  const name = programName(split.program, options.platform);
  if (name === 'git') return gitRule(args, options) === null;
  return isLooking(name) && lookingObjection(name, args, options) === null;
}
