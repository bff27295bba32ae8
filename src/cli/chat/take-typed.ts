/** Handles what is typed in a conversation: a message, a slash command or a command of the person's own. */
import type { Session } from '../../sessions/session.ts';
import type { CommandContext } from '../command-context.ts';
import type { Style } from '../render/text/style.ts';
import { oneLine, plural, sanitize } from '../render/text/text.ts';
import { withFiles } from './attached.ts';
import type { ConversationScreen } from './conversation-screen.ts';
import { expanded, isAgreed, type OwnCommand, ownCommandsIn } from './own-commands.ts';
import { type Slash, type SlashPlace, slashIn, unknownSlash } from './slash.ts';
import { OWN_NAMES, SLASH } from './slash-table.ts';

/** What it needs from the conversation. */
export interface TakePort {
  session(): Session;
  place(signal: AbortSignal, said: string[]): SlashPlace;
  /** Shows a failure of the work and lets the conversation go on. */
  quietly(work: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** The same, until the model has answered. */
  working(work: (signal: AbortSignal) => ReturnType<Session['goOn']>): Promise<void>;
  hasLeft(): boolean;
}

interface Taking extends TakePort {
  readonly context: CommandContext;
  readonly style: Style;
  readonly screen: ConversationScreen;
}

/** The command line of `!command`; `null` for any other text, also for one of several lines. */
export function shellLineIn(message: string): string | null {
  const [, line] = /^!\s*(\S.*)$/.exec(message.trim()) ?? [];
  return line ?? null;
}

export async function takeTyped(message: string, taking: Taking): Promise<void> {
  const { screen, style } = taking;
  const first = oneLine(message.split('\n')[0] ?? '');
  const more = message.includes('\n') ? ` (${message.split('\n').length} lines)` : '';
  screen.space();
  screen.show(style.paint('strong', `> ${first}${more}`));
  const command = shellLineIn(message);
  const slash = slashIn(message);
  if (command !== null) return runCommand(command, taking);
  return slash === null ? send(message, taking) : takeSlash(slash, taking);
}

async function send(message: string, { context, screen, working, session }: Taking): Promise<void> {
  const { text, images } = withFiles(message, context, screen, session().seesImages);
  await working((signal) => session().send(text, { signal, images }));
}

async function takeSlash(slash: Slash, taking: Taking): Promise<void> {
  const { context, screen, quietly, place, session } = taking;
  const command = Object.hasOwn(SLASH, slash.name) ? SLASH[slash.name] : undefined;
  if (command === undefined) {
    const { commands } = ownCommandsIn(context, OWN_NAMES);
    const own = commands.find(({ name }) => name === slash.name);
    if (own !== undefined) return takeOwn(own, slash.text, taking);
    const names = [...OWN_NAMES, ...commands.map(({ name }) => name)];
    screen.note(unknownSlash(slash.name, names), 'warning');
    return;
  }
  const said: string[] = [];
  await quietly(async (signal) => {
    await command.run(slash.text, place(signal, said));
  });
  if (!taking.hasLeft()) session().note(slash.name, slash.text, said.join('\n'));
}

async function takeOwn(own: OwnCommand, text: string, taking: Taking): Promise<void> {
  const { context, screen, quietly, place } = taking;
  let isYes = false;
  await quietly(async (signal) => {
    isYes = await isAgreed(own, context, place(signal, []));
  });
  if (isYes) await send(expanded(own, text), taking);
  else screen.note('Nothing was sent.');
}

const MAX_LINES = 200;

async function runCommand(command: string, { session, screen, quietly }: Taking): Promise<void> {
  await quietly(async (signal) => {
    screen.begins('running');
    const { printed } = await session().runCommand(command, { signal });
    // The command itself reports why nothing ran.
    if (printed === null || printed.trim() === '') return;
    const lines = sanitize(printed).trimEnd().split('\n');
    const more = lines.length - MAX_LINES;
    screen.show(lines.slice(0, MAX_LINES).join('\n'));
    if (more > 0) screen.note(`${plural(more, 'more line')} not shown here.`);
  });
}
