/** Provides an editor's conversations with what they need from the command line. */

import { join } from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk';
import { PROJECT_SERVERS } from '../../host/config/find.ts';
import {
  type ProjectServer,
  type ProjectServers,
  serverOf,
} from '../../host/config/project-servers.ts';
import { modelWords } from '../../host/models/model-spec.ts';
import { knownFolders } from '../../host/user/known-folders.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { misuse, TardigradeError } from '../../lib/errors.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import type {
  AgreedServers,
  AskServer,
  EditorPlace,
  ListedTalk,
  NamedServers,
} from '../../server/acp/contract.ts';
import { fenced } from '../../server/acp/permission.ts';
import { shownSessions } from '../../sessions/places.ts';
import { withoutAttachments } from '../chat/attached.ts';
import { firstWords } from '../chat/first-words.ts';
import { modelsIn } from '../chat/offers.ts';
import { slashIn } from '../chat/slash.ts';
import { type CommandContext, type Configured, withAccounts } from '../command-context.ts';
import { checkWorkspace } from '../command-line/invocation.ts';
import { nextStepText } from '../command-line/option-flags.ts';
import { configureInvocation } from '../configure.ts';
import type { Logs } from '../logs.ts';
import { type AskedServer, type ServerAnswer, serverFacts } from '../questions/ask-server.ts';
import { wideFolder } from '../questions/home-folder.ts';
import { serversFor } from '../questions/servers-for.ts';
import { talkPortFor } from '../serve/talk.ts';
import { explainError } from '../show-error.ts';
import { COMMAND_CHOICES, runCommandOf } from './commands.ts';

const LONGEST_TITLE = 80;
const ELSEWHERE = 'Open the folder of a project in the editor.';

export function editorPlace(context: CommandContext, logs: Logs): EditorPlace {
  const { terminal, engine, configured } = context;
  const { fs, dataFolder } = userResources(withAccounts(context));
  const { port: talk } = talkPortFor(context);
  const listed = (workspace: string): readonly ListedTalk[] => talksIn(fs, workspace);
  return {
    fs,
    clock: terminal.clock,
    version: terminal.version,
    commands: COMMAND_CHOICES,
    commandIn: slashIn,
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
  const { configured } = await configureInvocation(invocation, context.terminal);
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
        const words = withoutAttachments(firstWords(workspace, { id })).slice(0, LONGEST_TITLE);
        const title = name ?? (words === '' ? `Conversation ${number ?? id}` : words);
        return { id, workspace, lastAt, title };
      });
  } catch (error) {
    // A folder whose state is unreadable has no conversation that could continue.
    if (error instanceof TardigradeError) return [];
    throw error;
  }
}

/** The project's servers, then those that only the editor names. */
function withNamed(
  { invocation: { workspace }, configured, terminal: { env } }: CommandContext,
  named: readonly McpServer[],
): Configured {
  const { projectServers: theirs } = configured;
  const known = new Set(theirs?.servers.map(({ name }) => name));
  const file = theirs?.file ?? join(workspace, PROJECT_SERVERS);
  const place = { fs: nodeFileSystem, file, env, line: 0 };
  const more = named
    .map((server) => serverOf(place, server.name, fieldsOf(server)))
    .filter(({ name }) => !known.has(name));
  if (more.length === 0) return configured;
  const servers: readonly ProjectServer[] = [...(theirs?.servers ?? []), ...more];
  const all: ProjectServers = { file, servers, fault: theirs?.fault ?? null };
  return { ...configured, projectServers: all };
}

/** A server as a settings file describes it. */
function fieldsOf(server: McpServer): object {
  const pairs = (all: readonly { readonly name: string; readonly value: string }[]) =>
    Object.fromEntries(all.map(({ name, value }) => [name, value]));
  if (!('type' in server)) {
    const { command, args, env } = server;
    return { command, args, ...(env.length === 0 ? {} : { env: pairs(env) }) };
  }
  const { type, url, headers } = server;
  return { type, url, ...(headers.length === 0 ? {} : { headers: pairs(headers) }) };
}

/**
 * Servers that an editor names are used like a project's: with a person's consent to exactly these servers.
 *
 * @param context of the folder, with what the editor names
 * @param ask `null`: nobody can be asked yet
 */
async function agreedServers(
  context: CommandContext,
  ask: AskServer | null,
  signal: AbortSignal,
): Promise<AgreedServers> {
  const leftOut: string[] = [];
  let waiting = 0;
  const entries = await serversFor(context, {
    signal,
    warn: (text) => leftOut.push(text),
    hold: () => () => {},
    ask: async (asked) => {
      if (ask !== null) return answerIn(await ask(questionOf(asked)));
      waiting += 1;
      return 'none';
    },
  });
  return { entries, waiting, leftOut };
}

const OPTIONS = [
  {
    optionId: 'yes',
    name: 'Yes, in this folder, until its definition changes',
    kind: 'allow_always',
  },
  { optionId: 'not_now', name: 'Not this time', kind: 'reject_once' },
  { optionId: 'never', name: 'No, and do not ask again', kind: 'reject_always' },
] as const;

function answerIn(option: string | null): ServerAnswer {
  return OPTIONS.find(({ optionId }) => optionId === option)?.optionId ?? 'none';
}

function questionOf(asked: AskedServer): Parameters<AskServer>[0] {
  const { server, isChanged } = asked;
  const verb = server.fields.command === undefined ? 'Ask' : 'Start';
  const change = isChanged ? ['It is not what you approved before.'] : [];
  const text = [...change, fenced(serverFacts(asked).join('\n'))].join('\n\n');
  return {
    toolCall: {
      toolCallId: `server-${server.name}`,
      title: `${verb} the MCP server ${server.name}`,
      kind: 'other',
      status: 'pending',
      content: [{ type: 'content', content: { type: 'text', text } }],
    },
    options: [...OPTIONS],
  };
}
