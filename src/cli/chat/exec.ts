/** `agent --exec "…"`: one message, its answer on stdout, what happens on stderr. */
import { TardigradeError } from '../../lib/errors.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { SessionEvent } from '../../schema/chat-events.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import { askAtTerminal } from '../ask-person.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../interrupt.ts';
import { openLogs } from '../logs.ts';
import { commandLine } from '../quote.ts';
import { createStyle } from '../render/style.ts';
import { inLine, sanitize } from '../render/text.ts';
import { serversFor } from '../servers-for.ts';
import { activityLines, usageText } from './activity.ts';
import type { Opening, OpenOne } from './open-one.ts';

export async function execOne(
  context: CommandContext,
  open: (opening: Opening) => Promise<OpenOne>,
): Promise<number> {
  const { terminal, invocation } = context;
  const text = await messageOf(context);
  const begun = terminal.clock.monotonic();
  const style = createStyle(terminal.env, terminal.platform, terminal.stderr.isTerminal);
  const isQuiet = invocation.flags.has('quiet');
  const note = (line: string): void => {
    if (!isQuiet) terminal.stderr.write(`${style.paint('dim', inLine(line))}\n`);
  };
  const logs = await openLogs(invocation, terminal, note);
  const watch = logs.ofSession();
  const answer = writerOf(context);
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted, {
    onFirst: () =>
      note('Stopping. Press Ctrl+C again to stop at once; nothing is lost either way.'),
    onSecond: () => terminal.stderr.write('Stopped. Everything recorded is kept.\n'),
  });
  const onEvent = (event: SessionEvent): void => {
    if (event.type === 'text') answer.write(event.text);
    if (event.type === 'record' && event.record.type === 'turn_finished') answer.endLine();
    for (const line of activityLines(event, style.glyphs)) note(line.text);
    watch(event);
  };
  let one: OpenOne | null = null;
  try {
    const { signal } = interrupt;
    const servers = () => serversFor(context, { signal, say: note, hold: () => () => {} });
    one = await open({ signal, onEvent, servers, ...askingOf(context) });
    const { session } = one;
    await session.goOn({ signal });
    const sent = await session.send(text, { signal });
    answer.endLine();
    const elapsed = terminal.clock.monotonic() - begun;
    note(usageText(sent.usage, session.state, session.contextTokens, elapsed, style.glyphs));
    const code = exitCodeOf(sent.ending, session.state);
    if (code !== EXIT.achieved) terminal.stderr.write(`${wayOn(session.state, context)}\n`);
    return code;
  } finally {
    interrupt.dispose();
    await one?.close();
    logs.close();
  }
}

async function messageOf({ invocation: { exec }, terminal }: CommandContext): Promise<string> {
  const text = exec === '-' ? await terminal.readAllInput() : (exec ?? '');
  if (text.trim() !== '') return text;
  throw new TardigradeError('E_USAGE', 'The message is empty.', 'Write: agent --exec "TEXT"');
}

/** Each reply of the model ends its own line; a terminal must not be steered by it. */
function writerOf({ terminal: { stdout, toFile } }: CommandContext) {
  let isOpen = false;
  const put = (text: string): void => {
    if (stdout.isTerminal || toFile === undefined) stdout.write(sanitize(text));
    else toFile(text);
  };
  return {
    write: (text: string): void => {
      if (text === '') return;
      put(text);
      isOpen = !text.endsWith('\n');
    },
    endLine: (): void => {
      if (isOpen) put('\n');
      isOpen = false;
    },
  };
}

function askingOf({ terminal }: CommandContext): Pick<Opening, 'ask'> {
  const isPerson =
    terminal.stdinIsTerminal &&
    terminal.stderr.isTerminal &&
    terminal.keys !== undefined &&
    !terminal.env.CI;
  return isPerson ? { ask: askAtTerminal(terminal, () => () => {}) } : {};
}

/** An answer is 0, whatever is in it; without one it is a limit, a permission, or the provider. */
export function exitCodeOf(ending: string, { lastTurn }: ChatState): number {
  switch (ending) {
    case 'answered':
      return EXIT.achieved;
    case 'permission':
      return EXIT.person;
    case 'interrupted':
      return EXIT.interrupted;
    case 'refused':
      return EXIT.provider;
    case 'failed':
      return OWN.has(lastTurn?.status.kind ?? '') ? EXIT.limit : EXIT.provider;
    default:
      return EXIT.limit;
  }
}

/** Endings of a turn that are no failure of the provider. */
const OWN: ReadonlySet<string> = new Set(['success', 'truncated', 'context_overflow']);

function wayOn(
  { session, number, permissions }: ChatState,
  { invocation, terminal }: CommandContext,
): string {
  const wanted = (permissions?.open ?? []).flatMap(({ rules }) => rules);
  const { workspaceOption } = invocation;
  const words = [
    ...['agent', 'chat', '--session', number === null ? session : String(number)],
    ...(workspaceOption === null ? [] : ['--workspace', workspaceOption]),
    ...[...new Set(wanted)].flatMap((rule) => ['--allow', rule]),
  ];
  return `  Go on: ${commandLine(words, terminal.platform)}`;
}
