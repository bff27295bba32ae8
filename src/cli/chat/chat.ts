/** `agent`, `agent chat` and `agent --exec`: a conversation, or one answer of it. */

import { createChatHost } from '../../host/chat-host.ts';
import { writeStarter } from '../../host/library/starter.ts';
import type { TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import { EXIT } from '../../run/exit-codes.ts';
import { checkRules } from '../check-rules.ts';
import { type CommandContext, withAccounts } from '../command-context.ts';
import { choiceOf } from '../commands/run-model.ts';
import { chooseFirst } from '../first-start/choose-first.ts';
import { AGENT, usageError } from '../process/program-name.ts';
import { meansThisFolder } from '../questions/home-folder.ts';
import { execOne } from './exec.ts';
import { openOne } from './open-one.ts';

export async function chatCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal, configured } = context;
  checkRules(context);
  if (!(await meansThisFolder(context))) return EXIT.usage;
  const chosen = await chosenFirst(context);
  if (chosen !== null) return chosen;
  if (configured.begin.forgetFolders !== true) context.engine.noteFolder(invocation.workspace);
  if (invocation.init === true) writeFirst(context);
  const host = createChatHost(withAccounts(context));
  if (invocation.exec !== undefined)
    return execOne(context, (parts, words) => openOne(context, host, parts, words));
  if (invocation.json === true) throw noMessage();
  if (!terminal.stdinIsTerminal || !terminal.stdout.isTerminal) throw noTerminal();
  // A single answer needs neither editor nor screen, so they are loaded only here.
  const { converse } = await import('./converse.ts');
  return converse(context, host);
}

/** A conversation that continues has its model already. */
async function chosenFirst(context: CommandContext): Promise<number | null> {
  const { session, resume } = context.invocation;
  if (session !== undefined || resume === true) return null;
  return await chooseFirst(context, choiceOf(context, null, null));
}

/** The model learns of it with the first message. */
function writeFirst({ invocation: { workspace }, terminal: { stderr } }: CommandContext): void {
  const isNew = writeStarter(nodeFileSystem, workspace);
  stderr.write(
    isNew
      ? 'AGENTS.md was created: write into it what an agent should know here.\n'
      : 'AGENTS.md already exists and stays as it is.\n',
  );
}

const noMessage = (): TardigradeError =>
  usageError(
    'A conversation needs a terminal; events are printed for one message.',
    `Write: ${AGENT} --exec "TEXT" --json`,
  );

const noTerminal = (): TardigradeError =>
  usageError(
    'A conversation needs a terminal.',
    `For one answer: ${AGENT} --exec "TEXT". For a goal: ${AGENT} "GOAL".`,
  );
