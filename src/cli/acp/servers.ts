/**
 * The MCP servers that an editor names. They are used like a project's: with a person's consent to exactly what they
 * are.
 */
import { join } from 'node:path';
import type { McpServer } from '@agentclientprotocol/sdk';
import { PROJECT_SERVERS } from '../../host/config/find.ts';
import {
  type ProjectServer,
  type ProjectServers,
  serverOf,
} from '../../host/config/project-servers.ts';
import { nodeFileSystem } from '../../lib/files/file-system.ts';
import type { AgreedServers, AskServer } from '../../server/acp/contract.ts';
import { fenced } from '../../server/acp/permission.ts';
import type { CommandContext, Configured } from '../command-context.ts';
import type { AskedServer, ServerAnswer } from '../questions/ask-server.ts';
import { serverFacts } from '../questions/ask-server.ts';
import { serversFor } from '../questions/servers-for.ts';

/** The project's servers, then those that only the editor names. */
export function withNamed(
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

/** @param context of the folder, with what the editor names. @param ask `null`: nobody can be asked yet */
export async function agreedServers(
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
      ...{ toolCallId: `server-${server.name}`, title: `${verb} the MCP server ${server.name}` },
      ...{ kind: 'other', status: 'pending' },
      content: [{ type: 'content', content: { type: 'text', text } }],
    },
    options: [...OPTIONS],
  };
}
