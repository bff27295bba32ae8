/** The programs that the commands of a plan need and that are not on this machine. */
import { programsNeeded } from '../../languages/commands/programs-needed.ts';
import { splitCommand } from '../../tools/commands/split-command.ts';

/** @returns by command; one that cannot be read, and one that lacks nothing, is not in it. */
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
