/** Commands whose effects an undo may not cover: all that do more than look. Pure. */
import { type CommandRuleOptions, NO_BUILDS } from '../languages/commands/command-rule.ts';
import { isReadOnly } from '../policy/read-only.ts';
import { splitCommand } from '../tools/commands/split-command.ts';

/** Only the words of a command are judged, so every system gets the same result. */
const ANYWHERE: CommandRuleOptions = {
  platform: 'linux',
  isOutside: () => false,
  builds: NO_BUILDS,
};

/** A command that cannot be parsed, or whose text was cut, may have done anything. */
export const notCovered = (commands: readonly string[]): string[] =>
  commands.filter((cmd) => {
    const split = splitCommand(cmd, ANYWHERE.platform);
    return cmd.endsWith('...') || !split.ok || !isReadOnly(cmd, ANYWHERE, split);
  });
