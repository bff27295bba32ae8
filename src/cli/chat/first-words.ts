/** The first and last lines of a conversation, and the choice among several of a folder. */

import { CONVERSATION_FORMAT } from '../../context-manager/run-format.ts';
import { pagesOf } from '../../journal/read-journal.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { storedHead } from '../../schema/stored-head.ts';
import { layoutOfSession, type SessionListing, shownSessions } from '../../sessions/places.ts';
import type { Session } from '../../sessions/session.ts';
import { toolLabel } from '../../shown/calls.ts';
import type { CommandContext } from '../command-context.ts';
import { inPlace } from '../command-line/resume-command.ts';
import { agoText } from '../local-time.ts';
import { AGENT, commandToPaste, usageError } from '../process/program-name.ts';
import { markdownRows } from '../render/markdown/page.ts';
import type { Style } from '../render/text/style.ts';
import { cut, oneLine, plural, sanitize } from '../render/text/text.ts';
import { withoutAttachments } from './attached.ts';

const EXCHANGES = 2;
const MAX_ROWS = 12;

/** Who talks, where and with what. */
export function greetingOf(session: Session, folder: string): readonly string[] {
  const { state, tools } = session;
  const { settings, chat } = state;
  const who = `${settings?.provider ?? ''} ${oneLine(settings?.model ?? '')}`.trim();
  const what = chat.name ?? (chat.number === null ? '' : String(chat.number));
  const own = tools.flatMap(({ name }) => (toolLabel(name) === name ? [] : toolLabel(name)));
  const servers = [...new Set(own.map((name) => name.split('.')[0] ?? ''))];
  const files = session.instructionFiles().map(oneLine);
  const instructions = files.length === 0 ? '' : ` Instructions: ${files.join(', ')}.`;
  return [
    `Session ${oneLine(what)} with ${who}. /help shows the commands, Ctrl+D leaves.`,
    `In ${oneLine(folder)}${servers.length === 0 ? '' : `, with tools of ${servers.map(oneLine).join(', ')}`}.${instructions}`,
  ];
}

/** The last exchange, for a person who comes back. */
export function exchangeRows(session: Session, width: number, style: Style): readonly string[] {
  return session.lastExchanges(EXCHANGES).flatMap(({ said, reply }) => {
    const lines = withoutAttachments(said).split('\n');
    const more = lines.length > 1 ? ` (${plural(lines.length, 'line')})` : '';
    const rows = markdownRows(sanitize(reply).trimEnd(), { width, style });
    const left = rows.length - MAX_ROWS;
    return [
      '',
      style.paint('strong', cut(`> ${oneLine(lines[0] ?? '')}${more}`, width)),
      ...rows.slice(0, MAX_ROWS),
      ...(left > 0
        ? [style.paint('dim', `  ${style.glyphs.ellipsis} ${plural(left, 'more line')}`)]
        : []),
    ];
  });
}

/** The command that returns to it; `null` if nothing was said. The session may be closed: nothing is read. */
export function wayBack(session: Session, { invocation, terminal }: CommandContext): string | null {
  const { chat, run, conversation } = session.state;
  if (!conversation.some(({ cause }) => cause === 'person')) return null;
  const name = chat.name ?? (chat.number === null ? run : String(chat.number));
  return commandToPaste(terminal, ['chat', '--session', name, ...inPlace(invocation)]);
}

/** The first message of a conversation; '' if there is none or it is unreadable. */
export function firstWords(workspace: string, { id }: Pick<SessionListing, 'id'>): string {
  const { history } = layoutOfSession(workspace, id);
  try {
    for (const page of pagesOf({ fs: nodeFileSystem, format: CONVERSATION_FORMAT }, history))
      for (const record of page.records)
        if (record.type === 'person_said') return oneLine(storedHead(record.text));
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
  }
  return '';
}

/** `3  10 min ago  "install it"`. */
export function listingLine(
  one: SessionListing,
  workspace: string,
  now: number,
  width: number,
): string {
  const { number, name, status, lastAt } = one;
  const words = firstWords(workspace, one);
  const facts = `${String(number ?? '-').padStart(3)}  ${agoText(now - lastAt).padEnd(10)}`;
  const about = [
    ...(name === null ? [] : [oneLine(name)]),
    ...(words === '' ? [] : [`"${words}"`]),
    ...(status === 'open' ? [] : [status === 'cleared' ? 'goes on in another' : status]),
  ];
  return cut(`${facts}  ${about.length === 0 ? 'nothing was said' : about.join('  ')}`, width);
}

const MAX_LISTED = 20;
const MAX_ASKED = 3;

/** The conversation that a person chooses to continue; `null`: there is nothing to choose from. */
export async function chosenSession({
  invocation,
  terminal,
}: CommandContext): Promise<string | null> {
  const { workspace } = invocation;
  const open = shownSessions(nodeFileSystem, workspace).filter(({ status }) => status === 'open');
  if (open.length < 2) return null;
  const { stdout, clock } = terminal;
  const width = stdout.size().columns - 1;
  for (const one of open.slice(0, MAX_LISTED))
    stdout.write(`${listingLine(one, workspace, clock.now(), width)}\n`);
  for (let asked = 0; asked < MAX_ASKED; asked += 1) {
    const answer = (await terminal.ask('Which one? Its number; Enter takes the first: '))?.trim();
    if (answer === undefined) break;
    if (answer === '') return open[0]?.id ?? null;
    const meant = open.find(({ number, name }) => String(number) === answer || name === answer);
    if (meant !== undefined) return meant.id;
    stdout.write(`There is no conversation ${oneLine(answer)}.\n`);
  }
  throw usageError('No conversation was chosen.', `See what there is: ${AGENT} sessions`);
}
