/** Commands whose doing an undo may not cover: all but those that only look. Pure. */
import { NO_BUILDS, type PolicyOptions } from '../languages/commands/command-rule.ts';
import { isReadOnly } from '../policy/read-only.ts';
import { splitCommand } from '../tools/commands/split-command.ts';

/** A look outside of the folder changes nothing either. Words alone are judged, so it is the same on every system. */
const ANYWHERE: PolicyOptions = { platform: 'linux', isOutside: () => false, builds: NO_BUILDS };

/** What cannot be read, or was cut, may have done anything. */
export const notCovered = (commands: readonly string[]): string[] =>
  commands.filter((cmd) => {
    const split = splitCommand(cmd, ANYWHERE.platform);
    return cmd.endsWith('...') || !split.ok || !isReadOnly(cmd, ANYWHERE, split);
  });
