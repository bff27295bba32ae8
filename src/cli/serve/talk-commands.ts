/** Slash commands for a conversation of the server: those that need no terminal. */
import { interruptibleRunner } from '../../lib/interruptible.ts';
import type { CommandPlace } from '../../server/sessions/talk-port.ts';
import type { Session } from '../../sessions/session.ts';
import {
  type SlashPlace,
  type SlashTable,
  slashChoices,
  slashIn,
  unknownSlash,
} from '../chat/slash.ts';
import { SLASH } from '../chat/slash-table.ts';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../process/program-name.ts';
import { unattended } from '../process/unattended.ts';

/** `goal` is not among them: a goal begins a run. */
const NAMES = [
  ...(['model', 'undo', 'diff', 'plan', 'compact', 'memory', 'commit', 'approve'] as const),
  ...(['tools', 'cost', 'status', 'help'] as const),
];

const TABLE: SlashTable = Object.fromEntries(
  NAMES.flatMap((name) => {
    const row = SLASH[name];
    return row === undefined ? [] : [[name, row]];
  }),
);

export const COMMANDS_HERE = slashChoices(TABLE).map(({ text, takes = '', about = '' }) => ({
  text: `${text} ${takes}`.trimEnd(),
  about,
}));

/** A commit runs the repository's hooks. */
const ANSWERS: readonly string[] = ['approve', 'commit'];

/** Whether the command says yes for the person. */
export const isAnswer = (text: string): boolean => ANSWERS.includes(slashIn(text)?.name ?? '');

interface At {
  readonly context: CommandContext;
  readonly session: Session;
}

/** The text that the command prints. Throws E_USAGE for any other command. */
export async function runTalkCommand(
  { context, session: before }: At,
  line: string,
  { signal, switchModel }: CommandPlace,
): Promise<string> {
  const slash = slashIn(line);
  const command =
    slash !== null && Object.hasOwn(TABLE, slash.name) ? TABLE[slash.name] : undefined;
  if (slash === null || command === undefined)
    throw usageError(
      slash === null ? 'That is not a command.' : unknownSlash(slash.name, NAMES),
      `The page knows these: ${NAMES.map((name) => `/${name}`).join(', ')}`,
    );
  let session = before;
  const said: string[] = [];
  const show = (text: string): void => void said.push(text);
  const place: SlashPlace = {
    context: { ...context, terminal: unattended(context.terminal, show, show) },
    signal,
    session: () => session,
    say: show,
    show,
    hold: () => () => {},
    giver: { by: 'person', door: 'page' },
    toggleThoughts: () => false,
    clear: () => Promise.resolve(),
    switchModel: async (name) => {
      session = await switchModel(name);
      const { settings } = session.state;
      show(`Continuing with ${settings?.provider ?? ''} ${settings?.model ?? ''}.`);
    },
    leave: () => {},
    runInterruptibly: interruptibleRunner(context.terminal.clock, signal),
  };
  if (slash.name === 'help') show(helpText());
  else await command.run(slash.text, place);
  const text = said.join('\n').trimEnd();
  session.note(slash.name, slash.text, text);
  return text;
}

const helpText = (): string =>
  COMMANDS_HERE.map(({ text, about }) => `${text}: ${about}`).join('\n');
