/** A conversation at a terminal, from its first line to its last. Loaded only if there is a terminal. */

import type { ChatHost } from '../../host/chat-host.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { DEFAULT_CALLS_PER_REPLY } from '../../schema/config.ts';
import type { Session } from '../../sessions/session.ts';
import type { CommandContext } from '../command-context.ts';
import { helpLines, waitingLines } from '../commands/welcome.ts';
import { openLogs } from '../logs.ts';
import { askAtTerminal } from '../questions/ask-person.ts';
import { serversFor } from '../questions/servers-for.ts';
import { foldToWidth } from '../render/text/fold.ts';
import { createStyle, type Style } from '../render/text/style.ts';
import { type ConversationParts, TerminalConversation } from './conversation.ts';
import { chosenSession, exchangeRows, greetingOf, wayBack } from './first-words.ts';
import { type StartWords, startWords } from './named-files.ts';
import { type Opening, type OpenOne, openNext, openOne } from './open-one.ts';

/** Prints what is known before the session is open. Returns the width of the lines. */
function showWaiting({ engine, invocation, terminal }: CommandContext): number {
  const { program: agent, stdout } = terminal;
  const width = stdout.size().columns - 1;
  for (const line of waitingLines(engine, invocation.workspace, { width, agent }))
    stdout.write(`${line}\n`);
  return width;
}

export const converse = async (context: CommandContext, host: ChatHost): Promise<number> =>
  converseIn({ ...(await withChosen(context)), refusedServers: new Set() }, host);

async function converseIn(context: CommandContext, host: ChatHost): Promise<number> {
  const { terminal, invocation } = context;
  const style = createStyle(terminal, terminal.stdout);
  const width = showWaiting(context);
  const words = startWords(context);
  const stop = new AbortController();
  const held: Held = { one: null, last: null, context };
  const warn = (text: string): void => conversation.note(text);
  const logs = await openLogs(invocation, terminal, warn, (line) => conversation.log(line));
  const servers = onceFor(context, stop.signal, () => conversation);
  const openingFor = (conversation: TerminalConversation, signal = stop.signal): Opening => ({
    signal: AbortSignal.any([stop.signal, signal]),
    onEvent: bothOf(conversation.observe, logs.observer()),
    ask: askAtTerminal(terminal, conversation.giveToQuestion, 'this conversation'),
    ...{ hooks: conversation.elsewhere, servers, hiddenFiles: logs.files },
    maxToolCallsPerReply: DEFAULT_CALLS_PER_REPLY,
  });
  const reopen: Reopen = async (next, it, words = {}, signal = stop.signal) => {
    await held.one?.close();
    held.one = null;
    const one = await openOne(next, host, openingFor(it, signal), words);
    held.context = next;
    return take(held, one);
  };
  const conversation = new TerminalConversation({
    ...{ context, style },
    giveUp: () => stop.abort(),
    open: async (it) => {
      const session = await reopen(context, it, words);
      for (const line of greetingOf(session, invocation.workspace)) it.note(line);
      if (isGoingOn(invocation)) it.show(exchangeRows(session, width, style));
      return session;
    },
    clear: async (before, it, signal) => {
      const next = await openNext(held.context, host, before, () => {
        logs.nextFile();
        return openingFor(it, signal);
      });
      await held.one?.close();
      return take(held, next);
    },
    switchModel: (...which) => withOther(held.context, reopen, ...which),
  });
  try {
    await conversation.hold().catch((error: unknown) => {
      // The person left while a session was being opened.
      if (stop.signal.aborted && held.one === null) return;
      if (invocation.isBare) terminal.stdout.write(helpText(style, width, terminal));
      throw error;
    });
    if (held.last === null) return EXIT.interrupted;
    terminal.stderr.write(wayBackText(held.last, context, width));
    return EXIT.achieved;
  } finally {
    stop.abort();
    await held.one?.close();
    logs.close();
  }
}

interface Held {
  one: OpenOne | null;
  last: Session | null;
  /** The context with which the session was opened. */
  context: CommandContext;
}

function take(held: Held, one: OpenOne): Session {
  held.one = one;
  held.last = one.session;
  return held.last;
}

type Reopen = (
  next: CommandContext,
  it: TerminalConversation,
  words?: StartWords,
  signal?: AbortSignal,
) => Promise<Session>;

/** Reopens the session with another model, or with the former one if the other cannot be opened. */
async function withOther(
  context: CommandContext,
  reopen: Reopen,
  ...[{ id }, model, conversation, signal]: Parameters<ConversationParts['switchModel']>
): Promise<Session> {
  const former = { ...context, invocation: { ...context.invocation, session: id } };
  try {
    return await reopen(withModel(former, model), conversation, {}, signal);
  } catch (error) {
    conversation.showFailure(error);
    return reopen(former, conversation);
  }
}

const withModel = (context: CommandContext, model: string): CommandContext => ({
  ...context,
  invocation: { ...context.invocation, model, baseUrl: undefined },
});

/** Remembers the person's answers about servers until the person leaves. */
function onceFor(
  context: CommandContext,
  signal: AbortSignal,
  held: () => TerminalConversation,
): Opening['servers'] {
  let agreed: ReturnType<typeof serversFor> | null = null;
  return () => {
    const { giveToQuestion: hold } = held();
    agreed ??= serversFor(context, { signal, warn: (text) => held().note(text), hold });
    return agreed;
  };
}

const bothOf =
  (first: Opening['onEvent'], second: Opening['onEvent']): Opening['onEvent'] =>
  (event) => {
    first(event);
    second(event);
  };

/** Asks which session to continue if the command line names none. */
async function withChosen(context: CommandContext): Promise<CommandContext> {
  const { invocation } = context;
  if (invocation.resume !== true || invocation.session !== undefined) return context;
  const session = await chosenSession(context);
  return session === null ? context : { ...context, invocation: { ...invocation, session } };
}

const isGoingOn = ({ resume, session }: CommandContext['invocation']): boolean =>
  resume === true || session !== undefined;

function wayBackText(session: Session, context: CommandContext, width: number): string {
  const back = wayBack(session, context);
  return back === null ? '' : foldToWidth(`Back to it: ${back}\n`, width);
}

const helpText = (style: Style, width: number, { program }: CommandContext['terminal']): string =>
  `${helpLines(style, width, program).join('\n')}\n`;
