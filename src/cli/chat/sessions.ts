import type { CommandContext } from '../command-context.ts';
import { printJson, wantsJson } from '../commands/print.ts';
import { dayAndTime } from '../local-time.ts';
import { cut, oneLine } from '../render/text.ts';
import { lookAtSessions, tellDamaged } from './damaged.ts';

/** `agent sessions`: every conversation of the folder, the one held last first. */
export async function sessionsCommand(context: CommandContext): Promise<number> {
  const { terminal } = context;
  const { all, damaged } = lookAtSessions(context);
  if (wantsJson(context)) return printJson(context, { sessions: all });
  if (all.length === 0) {
    terminal.stderr.write(
      `There is no conversation in this folder yet.\n  Next: ${terminal.program} chat\n`,
    );
    return 0;
  }
  const width = terminal.stdout.isTerminal ? terminal.stdout.size().columns - 1 : 240;
  for (const { number, name, status, lastAt, records } of all) {
    // Of one that cannot be read nobody knows it.
    const time = dayAndTime(lastAt === 0 ? Number.NaN : lastAt);
    const facts = `${String(number ?? '-').padStart(3)}  ${status.padEnd(8)}  ${time}`;
    const about = [oneLine(name ?? ''), `${records} records`];
    terminal.stdout.write(`${cut(`${facts}  ${about.filter(Boolean).join('  ')}`, width)}\n`);
  }
  tellDamaged(context, damaged);
  terminal.stderr.write(`Go on with one: ${terminal.program} chat --session NAME or NUMBER\n`);
  return 0;
}
