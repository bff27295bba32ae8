/** Commands that look and change nothing that a person made: tests, and git that reads. Pure. */
import type { PolicyOptions } from '../languages/command-rule.ts';
import { programName } from '../languages/program-name.ts';
import { runsTests } from '../languages/test-runs.ts';
import { splitCommand } from '../tools/split-command.ts';
import { gitRule } from './git.ts';
import { leadsOutside } from './leads-outside.ts';

type LookOptions = Parameters<typeof leadsOutside>[1] & Pick<PolicyOptions, 'allow'>;

/** A line that cannot be read runs nothing: its tool says what is wrong with it. */
export function onlyLooks(cmd: string, options: LookOptions): boolean {
  const { platform } = options.fs;
  const split = splitCommand(cmd, platform);
  if (!split.ok || runsTests(cmd)) return true;
  const rules = { ...options, platform, isOutside: (path: string) => leadsOutside(path, options) };
  return programName(split.program, platform) === 'git' && gitRule(split.args, rules) === null;
}
