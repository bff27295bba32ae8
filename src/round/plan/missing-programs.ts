/** Finds programs that the commands of a plan need and that this machine lacks. */
import { programsNeeded } from '../../languages/commands/programs-needed.ts';
import { splitCommand } from '../../tools/commands/split-command.ts';

/** @returns missing programs by command, without commands that cannot be parsed or that lack nothing */
export async function missingPrograms(
  commands: readonly string[],
  {
    platform,
    isInstalled,
  }: {
    readonly platform: NodeJS.Platform;
    isInstalled(program: string): Promise<boolean>;
  },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const missing = new Map<string, readonly string[]>();
  for (const cmd of new Set(commands)) {
    const split = splitCommand(cmd, platform);
    if (!split.ok) continue;
    const lacking: string[] = [];
    for (const program of programsNeeded(split, platform))
      if (!(await isInstalled(program))) lacking.push(program);
    if (lacking.length > 0) missing.set(cmd, lacking);
  }
  return missing;
}
