import { createChatHost } from '../../chat/chat-host.ts';
import type { CommandContext } from '../command-context.ts';
import { sayJson, wantsJson } from '../commands/say.ts';
import { dayAndTime } from '../local-time.ts';
import { cut, oneLine } from '../render/text.ts';

/** `agent sessions`: every conversation of the folder, the one held last first. */
export async function sessionsCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  const all = createChatHost(terminal).list(invocation.workspace);
  if (wantsJson(context)) return sayJson(context, { sessions: all });
  if (all.length === 0) {
    terminal.stderr.write('There is no conversation in this folder yet.\n  Next: agent chat\n');
    return 0;
  }
  const width = terminal.stdout.isTerminal ? terminal.stdout.size().columns - 1 : 240;
  for (const { number, name, status, lastAt, records, problem } of all) {
    const facts = `${String(number ?? '-').padStart(3)}  ${status.padEnd(8)}  ${dayAndTime(lastAt)}`;
    const about = [oneLine(name ?? ''), problem === '' ? `${records} records` : oneLine(problem)];
    terminal.stdout.write(`${cut(`${facts}  ${about.filter(Boolean).join('  ')}`, width)}\n`);
  }
  terminal.stderr.write('Go on with one: agent chat --session NAME or NUMBER\n');
  return 0;
}
