/** `agent --exec "…"`: sends one message; its answer or its events go to stdout, the rest to stderr. */

import { EXIT } from '../../run/exit-codes.ts';
import { createNarrator } from '../../run/stream/narrator.ts';
import { errorBody, type ResultBody, STOPPED } from '../../run/stream/result-body.ts';
import type { SessionEvent } from '../../schema/events/events.ts';
import type { ConversationState } from '../../schema/state.ts';
import { messageResult } from '../../sessions/message-result.ts';
import type { Session } from '../../sessions/session.ts';
import type { CommandContext } from '../command-context.ts';
import { verbosityOf } from '../command-line/invocation.ts';
import { inPlace } from '../command-line/resume-command.ts';
import { jsonLine } from '../json-line.ts';
import { openLogs } from '../logs.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { AGENT, commandToPaste, usageError } from '../process/program-name.ts';
import { askAtTerminal } from '../questions/ask-person.ts';
import { isPersonThere } from '../questions/person-there.ts';
import { serversFor } from '../questions/servers-for.ts';
import { printFolded } from '../render/text/fold.ts';
import { createStyle } from '../render/text/style.ts';
import { inLine, sanitize } from '../render/text/text.ts';
import { eventLines, usageText } from './lines.ts';
import { type StartWords, startWords } from './named-files.ts';
import type { Opening, OpenOne } from './open-one.ts';

export async function execOne(
  context: CommandContext,
  open: (opening: Opening, words: StartWords) => Promise<OpenOne>,
): Promise<number> {
  const { terminal, invocation } = context;
  const out = invocation.json === true ? eventsOf(context) : await answerOf(context);
  const text = await messageOf(context);
  const words = startWords(context);
  const begun = terminal.clock.monotonic();
  const style = createStyle(terminal, terminal.stderr);
  const isQuiet = invocation.quiet === true;
  const isDebug = verbosityOf(invocation) === 'debug';
  const note = (line: string): void => {
    if (!isQuiet) printFolded(terminal.stderr, `${style.paint('dim', inLine(line))}\n`);
  };
  const logs = await openLogs(invocation, terminal, note);
  const watch = logs.observer();
  const interrupt = listenForInterrupt(terminal, EXIT.interrupted, {
    onFirst: () =>
      note('Stopping. Press Ctrl+C again to stop at once; nothing is lost either way.'),
    onSecond: () => {
      out.stopped();
      terminal.stderr.write('Stopped. Everything recorded is kept.\n');
    },
  });
  let isShown = invocation.json === true;
  const onEvent = (event: SessionEvent): void => {
    if (isShown) out.observe(event);
    for (const { text, level } of eventLines(event, style.glyphs))
      if (level !== 'debug' || isDebug) note(text);
    watch(event);
  };
  let one: OpenOne | null = null;
  try {
    const { signal } = interrupt;
    const servers = () => serversFor(context, { signal, warn: note, hold: () => () => {} });
    const hiddenFiles = logs.files;
    one = await open({ signal, onEvent, servers, hiddenFiles, ...askingOf(context) }, words);
    const { session } = one;
    await finishEarlier(session, signal, note);
    isShown = true;
    const { cost: costBefore } = session.state.usage;
    const sent = await session.send(text, { signal });
    const { state } = session;
    const elapsedMs = terminal.clock.monotonic() - begun;
    const resume = wayOn(state, context, text);
    const { workspace } = invocation;
    const result = messageResult(sent, state, { elapsedMs, workspace, resume, costBefore });
    out.end(result);
    note(usageText(sent.usage, state, session.contextTokens, elapsedMs, style.glyphs));
    if (result.exitCode !== EXIT.achieved) terminal.stderr.write(`  Continue: ${resume}\n`);
    return result.exitCode;
  } finally {
    interrupt.dispose();
    await one?.close();
    logs.close();
  }
}

/**
 * Finishes an earlier message. Its answer is not the one that is asked for now, so it does not go to stdout.
 */
async function finishEarlier(
  session: Session,
  signal: AbortSignal,
  note: (line: string) => void,
): Promise<void> {
  if (!session.isOpen) return;
  note('Continuing with the message that was not answered yet.');
  const { reply } = await session.finish({ signal });
  if (reply !== '') note(reply);
}

async function messageOf({ invocation: { exec }, terminal }: CommandContext): Promise<string> {
  const text = exec === '-' ? await terminal.readAllInput() : (exec ?? '');
  if (text.trim() !== '') return text;
  throw usageError('The message is empty.', `Write: ${AGENT} --exec "TEXT"`);
}

/** Writes to stdout. */
interface Out {
  observe(event: SessionEvent): void;
  end(result: ResultBody): void;
  /** Called when the process ends early. */
  stopped(): void;
}

/** Each reply ends its own line. Sanitised, since a model's text must not control a terminal. */
async function answerOf({ terminal }: CommandContext): Promise<Out> {
  const { stdout, toFile } = terminal;
  if (stdout.isTerminal) return await pageOf(terminal);
  let isOpen = false;
  const put = (text: string): void =>
    toFile === undefined ? stdout.write(sanitize(text)) : toFile(text);
  const endLine = (): void => {
    if (isOpen) put('\n');
    isOpen = false;
  };
  return ofAnswers((text) => {
    put(text);
    isOpen = !text.endsWith('\n');
  }, endLine);
}

/** Lays the answer out for a reader, each line once it is whole. */
async function pageOf(terminal: CommandContext['terminal']): Promise<Out> {
  const { stdout } = terminal;
  const { NO_PAGE, endOfPage, pageAfter } = await import('../render/markdown/page.ts');
  const style = createStyle(terminal, stdout);
  const look = () => ({ width: Math.max(10, stdout.size().columns - 1), style });
  let page = NO_PAGE;
  const write = (rows: readonly string[]): void =>
    stdout.write(rows.map((row) => `${row}\n`).join(''));
  const end = (): void => {
    write(endOfPage(page, look()));
    page = NO_PAGE;
  };
  return ofAnswers((text) => {
    const next = pageAfter(page, sanitize(text), look());
    page = next.page;
    write(next.rows);
  }, end);
}

const ofAnswers = (put: (text: string) => void, end: () => void): Out => ({
  observe: (event) => {
    if (event.type === 'text' && event.text !== '') put(event.text);
    if (event.type === 'record' && event.record.type === 'turn_finished') end();
  },
  end,
  stopped: () => {},
});

/** An error ends the stream, too, so `main` reports it there. */
function eventsOf({ invocation, terminal, stream }: CommandContext): Out {
  const { workspace } = invocation;
  const narrator = createNarrator({ workspace }, (event) => terminal.stdout.write(jsonLine(event)));
  stream.narrator = narrator;
  return {
    observe: (event) => narrator.emit(event),
    end: (result) => narrator.end(result),
    stopped: () => narrator.end(errorBody(STOPPED, null)),
  };
}

function askingOf({ terminal, invocation }: CommandContext): Pick<Opening, 'ask'> {
  return isPersonThere(terminal, invocation)
    ? { ask: askAtTerminal(terminal, () => () => {}, 'this conversation') }
    : {};
}

/** In characters; a longer message is not repeated. */
const MAX_SENT_AGAIN = 200;

/** Where a permission was missing, the command repeats the message with it; otherwise it continues the conversation. */
function wayOn(
  { run, chat: { number }, permissions }: ConversationState,
  { invocation, terminal }: CommandContext,
  text: string,
): string {
  const wanted = (permissions?.open ?? []).flatMap(({ rules }) => rules);
  const isSentAgain = wanted.length > 0 && text.length <= MAX_SENT_AGAIN && !text.includes('\n');
  const words = [
    ...(isSentAgain ? ['--exec', text] : ['chat']),
    ...['--session', number === null ? run : String(number)],
    ...inPlace(invocation),
    ...[...new Set(wanted)].flatMap((rule) => ['--allow', rule]),
  ];
  return commandToPaste(terminal, words);
}
