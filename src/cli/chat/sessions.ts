import type { CommandContext } from '../command-context.ts';
import { printJson, wantsJson } from '../commands/print.ts';
import { columnsOf } from '../render/text/fold.ts';
import { readableSessions, tellDamaged } from './damaged.ts';
import { listingLine } from './first-words.ts';

/** `agent sessions`: lists every conversation of the folder, the last one used first. */
export async function sessionsCommand(context: CommandContext): Promise<number> {
  const { terminal, invocation } = context;
  const { all, damaged } = readableSessions(context);
  if (wantsJson(context)) return printJson(context, { sessions: all });
  if (all.length === 0) {
    terminal.stderr.write(
      `There is no conversation in this folder yet.\n  Next: ${terminal.program} chat\n`,
    );
    return 0;
  }
  const width = columnsOf(terminal.stdout);
  for (const one of all) {
    // The time of last use of an unreadable conversation is unknown.
    const lastAt = one.lastAt === 0 ? Number.NaN : one.lastAt;
    const line = listingLine({ ...one, lastAt }, invocation.workspace, terminal.clock.now(), width);
    terminal.stdout.write(`${line}\n`);
  }
  tellDamaged(context, damaged);
  terminal.stderr.write(`Continue one: ${terminal.program} chat --session NAME or NUMBER\n`);
  return 0;
}
