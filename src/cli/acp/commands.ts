/** The slash commands that an editor may offer: those of a conversation that need no terminal. */
import { interruptibleRunner } from '../../lib/interruptible.ts';
import { BY_EDITOR } from '../../schema/journal/permissions.ts';
import type { CommandCall, CommandChoice } from '../../server/acp/contract.ts';
import { type SlashTable, unknownSlash } from '../chat/slash.ts';
import { SLASH } from '../chat/slash-table.ts';
import type { CommandContext } from '../command-context.ts';
import { usageError } from '../process/program-name.ts';
import { unattended } from '../process/unattended.ts';

/** Commands for which an editor has its own way. */
const AT_A_TERMINAL: ReadonlySet<string> = new Set('thinking clear help quit exit q'.split(' '));
const TABLE: SlashTable = Object.fromEntries(
  Object.entries(SLASH).filter(([name]) => !AT_A_TERMINAL.has(name)),
);
const CONTINUE: CommandChoice = {
  name: 'continue',
  about: 'go on with a message that was cut off',
};

export const COMMAND_CHOICES: readonly CommandChoice[] = [
  ...Object.entries(TABLE).map(([name, { about, takes }]) => ({ name, about, takes })),
  CONTINUE,
];

/** Throws E_USAGE for an unknown command. @param context of the folder */
export async function runCommandOf(call: CommandCall, context: CommandContext): Promise<void> {
  const { name, text, session, signal, say, show, switchModel } = call;
  const command = Object.hasOwn(TABLE, name) ? TABLE[name] : undefined;
  if (command === undefined) {
    const names = COMMAND_CHOICES.map((choice) => choice.name);
    throw usageError(unknownSlash(name, names, `/${names.join(', /')}`), '');
  }
  const noted: string[] = [];
  await command.run(text, {
    context: within(context, call, noted),
    session,
    signal,
    say,
    show,
    switchModel,
    hold: () => () => {},
    toggleThoughts: () => false,
    giver: BY_EDITOR,
    clear: () => Promise.resolve(),
    leave: () => {},
    runInterruptibly: interruptibleRunner(context.terminal.clock, signal),
  });
  if (noted.length > 0) show(noted.join(''));
  const { workspace } = context.invocation;
  if (name === 'goal' && text !== '' && context.engine.readRun(workspace)?.paused != null)
    say('The same /goal continues it.');
}

/**
 * The context with a terminal that belongs to the editor: stdout itself carries the protocol.
 * @param noted collects what a terminal would show on stderr
 */
function within(
  context: CommandContext,
  { name, signal, say, show, run }: CommandCall,
  noted: string[],
): CommandContext {
  const { engine, invocation } = context;
  return {
    ...context,
    // The texts of a run come from the model, so the editor lays them out.
    terminal: {
      ...unattended(
        context.terminal,
        written(name === 'goal' ? say : show),
        written((text) => noted.push(text)),
      ),
      isOneScreen: true,
    },
    invocation: { ...invocation, quiet: true },
    engine: {
      ...engine,
      runGoal: (options) =>
        engine.runGoal({
          ...options,
          ask: run.ask,
          askPlan: run.askPlan,
          signal: AbortSignal.any([signal, ...(options.signal ? [options.signal] : [])]),
          emit: (event) => {
            options.emit?.(event);
            run.emit(event);
          },
        }),
    },
  };
}

const written =
  (write: (text: string) => void) =>
  (text: string): void => {
    if (text.trim() !== '') write(text);
  };
