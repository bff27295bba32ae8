/** Conversations as `agent undo`, `agent diff` and `agent status` see them: none is opened and no model is asked. */
import { join } from 'node:path';
import { misuse, orOnRefusal, refusalOf } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import type { ConversationState } from '../../schema/state.ts';
import { listStoredSessions, readSession, type SessionListing } from '../../sessions/places.ts';
import { costText, tokensText } from '../../shown/costs.ts';
import type { CommandContext } from '../command-context.ts';
import { inPlace, sameWorkCommand } from '../command-line/resume-command.ts';
import { printJson, wantsJson } from '../commands/print.ts';
import { commandToPaste } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { factLines } from '../render/text/rows.ts';
import { createStyle } from '../render/text/style.ts';
import { cut, inLine, oneLine, plural } from '../render/text/text.ts';

/**
 * The conversation that a command means: the one with the number that was typed, else the last one used if it was used
 * after the current run. `null`: the command is about a run.
 */
export function selectedConversation(context: CommandContext): SessionListing | null {
  const { invocation, engine } = context;
  const { workspace, runNumber } = invocation;
  const sessions = sessionsIn(workspace);
  if (sessions.length === 0) return null;
  const runs = engine.listRuns(workspace);
  if (runNumber !== null) {
    const isRun = runs.some(({ number }) => number === runNumber);
    return isRun ? null : (sessions.find(({ number }) => number === runNumber) ?? null);
  }
  const last = sessions.find(({ status }) => status === 'open') ?? null;
  const current = runs.find(({ isCurrent }) => isCurrent);
  // A lost or damaged journal of a run is reported first.
  if (current === undefined) return isLost(context) ? null : last;
  if (current.status === 'damaged') return null;
  return last !== null && last.lastAt > current.lastAt ? last : null;
}

/** The run reports what is wrong with the folder. */
const sessionsIn = (workspace: string): readonly SessionListing[] =>
  orOnRefusal(
    () => listStoredSessions(nodeFileSystem, workspace),
    () => [],
  );

const isLost = ({ engine, invocation }: CommandContext): boolean =>
  refusalOf(() => engine.readRun(invocation.workspace)) !== null;

/** The next step if there is nothing of a conversation to restore; '' if none. */
export function runBefore(context: CommandContext): string {
  const undo = context.invocation.runNumber === null ? undoOfRun(context) : '';
  return undo === '' ? '' : `The run before it: ${undo}`;
}

/** The command that puts back what the last run of the folder changed; '' if there is none. */
export function undoOfRun({ invocation, terminal, engine }: CommandContext): string {
  const { workspace, workspaceOption } = invocation;
  const run = engine.listRuns(workspace).find(({ isCurrent }) => isCurrent);
  return run?.number == null || run.status === 'undone'
    ? ''
    : sameWorkCommand('undo', { runNumber: run.number, workspaceOption }, terminal);
}

export function sayConversation(context: CommandContext, listing: SessionListing): number {
  const { invocation, terminal, engine } = context;
  const { workspace } = invocation;
  const { number, name, id } = listing;
  const state = readSession(nodeFileSystem, workspace, id);
  if (state === null)
    throw misuse('It is gone.', 'See what there is', {
      command: ['sessions'],
    });
  const holder = engine.lockOwner(workspace, id);
  const owner = holder?.isAlive ? { pid: holder.pid } : null;
  const words = ['chat', '--session', String(number ?? id), ...inPlace(invocation)];
  const back = commandToPaste(terminal, words);
  if (wantsJson(context))
    return printJson(context, { conversation: listing, owner, back, workspace, state });
  const typed = (verb: string) => sameWorkCommand(verb, invocation, terminal);
  const { counters, settings, usage, chat } = state;
  const open = chat.changing.filter(({ isUndone }) => !isUndone).length;
  const style = createStyle(terminal, terminal.stdout);
  const lines = factLines(style, [
    ['Talk', [String(number ?? id), oneLine(name ?? '')].filter(Boolean).join('  ')],
    ['State', stateText(chat, owner, typed('undo'))],
    ['Model', settings === null ? '' : oneLine(`${settings.provider} ${settings.model}`)],
    [
      'Work',
      [
        plural(chat.messages, 'message'),
        plural(counters.turns, 'model turn'),
        plural(counters.actions, 'action'),
      ].join(', '),
    ],
    ['Model use', tokensText(usage.total)],
    ['Cost', costText(usage)],
    [
      'Changed',
      open === 0 ? '' : `files, by ${plural(open, 'message')}: ${typed('diff')}, ${typed('undo')}`,
    ],
    ['Kept in', inLine(join(workspace, '.agent_context'))],
    ['Go on', back],
  ]);
  printFolded(terminal.stdout, `${lines.join('\n')}\n`);
  return 0;
}

function stateText(
  chat: ConversationState['chat'],
  owner: { readonly pid: number } | null,
  undo: string,
): string {
  if (owner !== null) return `open in process ${owner.pid}`;
  if (chat.undoing !== null) return `its undo was cut off: ${undo} finishes it`;
  if (chat.open !== null) return 'its last message was cut off; nothing recorded is lost';
  if (chat.last === null) return 'nothing was said yet';
  const detail = oneLine(chat.last.detail);
  return cut(
    `waits for you; the last message: ${chat.last.ending}${detail === '' ? '' : `, ${detail}`}`,
    300,
  );
}
