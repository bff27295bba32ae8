/** Provides an editor's conversations with what they need from the command line. */

import { modelWords } from '../../host/models/model-spec.ts';
import { knownFolders } from '../../host/user/known-folders.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import type { EditorPlace, ListedTalk, NamedServers } from '../../server/acp/contract.ts';
import { shownSessions } from '../../sessions/places.ts';
import { withoutFiles } from '../chat/attached.ts';
import { firstWords } from '../chat/first-words.ts';
import { modelsIn } from '../chat/offers.ts';
import { type CommandContext, withAccounts } from '../command-context.ts';
import { checkWorkspace } from '../command-line/invocation.ts';
import { nextStepText } from '../command-line/option-flags.ts';
import { configure } from '../configure.ts';
import type { Logs } from '../logs.ts';
import { wideFolder } from '../questions/home-folder.ts';
import { talkPortFor } from '../serve/talk.ts';
import { explainError } from '../show-error.ts';
import { COMMAND_CHOICES, commandIn, runCommandOf } from './commands.ts';
import { agreedServers, withNamed } from './servers.ts';

const LONGEST_TITLE = 80;
const ELSEWHERE = 'Open the folder of a project in the editor.';

export function editorPlace(context: CommandContext, logs: Logs): EditorPlace {
  const { terminal, engine, configured } = context;
  const { fs, dataFolder } = userResources(withAccounts(context));
  const { port: talk } = talkPortFor(context);
  const listed = (workspace: string): readonly ListedTalk[] => talksIn(fs, workspace);
  return {
    ...{
      fs,
      clock: terminal.clock,
      version: terminal.version,
      commands: COMMAND_CHOICES,
      commandIn,
    },
    talk: {
      open: (request) => {
        if (configured.begin.forgetFolders !== true) engine.noteFolder(request.workspace);
        const log = logs.observer();
        const onEvent: typeof request.onEvent = (event) => {
          request.onEvent(event);
          log(event);
        };
        return talk.open({ ...request, onEvent, hiddenFiles: logs.files });
      },
    },
    folder: (cwd) => {
      refuseWide(cwd, terminal.env);
      return fs.realpath(workedIn(cwd));
    },
    servers: async (named, ask, signal) =>
      agreedServers(await contextIn(context, named), ask, signal),
    list: (workspace) =>
      (workspace === null ? knownFolders({ fs, dataFolder }) : [workspace])
        .flatMap(listed)
        .toSorted((one, other) => other.lastAt - one.lastAt),
    models: async (settings) =>
      (await modelsIn({ engine, invocation: configured.begin }, settings)).map(({ text }) => text),
    modelOf: modelWords,
    command: async (call) => runCommandOf(call, await contextIn(context, call.at)),
    wordsOf: (error) => {
      const { code, message, ...next } = explainError(error, terminal.program);
      return { code, text: `${message} ${nextStepText(next, terminal.program)}`.trim() };
    },
  };
}

/** The context that the same command line would have in that folder. */
async function contextIn(
  context: CommandContext,
  { workspace, named }: NamedServers,
): Promise<CommandContext> {
  const invocation = {
    ...context.invocation,
    command: 'chat',
    workspace,
    workspaceOption: workspace,
  } as const;
  const { configured } = await configure(invocation, context.terminal);
  const here = { ...context, invocation, configured };
  return { ...here, configured: withNamed(here, named) };
}

/** Throws E_WORKSPACE in words that fit an editor. */
function workedIn(cwd: string): string {
  try {
    return checkWorkspace(cwd, cwd, true);
  } catch (error) {
    if (!(error instanceof TardigradeError)) throw error;
    throw new TardigradeError(error.code, error.message, ELSEWHERE, { cause: error });
  }
}

function refuseWide(cwd: string, env: CommandContext['terminal']['env']): void {
  const what = wideFolder(cwd, env);
  if (what === null) return;
  throw misuse(`This is ${what}, and the model would see everything in it.`, ELSEWHERE);
}

function talksIn(
  fs: Parameters<typeof shownSessions>[0],
  workspace: string,
): readonly ListedTalk[] {
  try {
    return shownSessions(fs, workspace)
      .filter(({ status }) => status === 'open')
      .map(({ id, name, number, lastAt }) => {
        const words = withoutFiles(firstWords(workspace, { id })).slice(0, LONGEST_TITLE);
        const title = name ?? (words === '' ? `Conversation ${number ?? id}` : words);
        return { id, workspace, lastAt, title };
      });
  } catch (error) {
    // A folder whose state is unreadable has no conversation that could continue.
    if (error instanceof TardigradeError) return [];
    throw error;
  }
}
