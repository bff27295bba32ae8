/**
 * One MCP server during a run. Owns its connection and its process.
 * 1. If the server ends by itself, the next call reconnects, at most twice; a call is never repeated.
 * 2. If it comes back with a different description of a tool, that tool is not called with arguments made for
 *    the earlier one.
 */

import { resolve } from 'node:path';
import type * as z from 'zod';
import { thrownText } from '../../lib/callback.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { VERSION } from '../../lib/version.ts';
import type { SystemProcesses } from '../../processes/system-processes.ts';
import type { ToolResult } from '../../schema/actions.ts';
import type {
  ProgramServer,
  RunningServers,
  SERVER_ENDED,
  SERVER_STARTED,
  ServerEntry,
  WebServer,
} from '../../schema/servers.ts';
import type { Connected } from '../../tools/mcp/connect.ts';
import type { LineHooks } from '../../tools/mcp/line.ts';
import type { ServerTool } from '../../tools/mcp/offered.ts';
import type { CallServer } from '../../tools/mcp/server-tool.ts';
import { openSocket } from '../../tools/mcp/socket.ts';
import { type Wire, wireOver } from '../../tools/mcp/wire.ts';
import { failed } from '../../tools/result.ts';

export const CONNECT_MS = 10_000;
const CALL_MS = 120_000;
const MAX_STARTS = 3;

/** The journal of a run or conversation, as far as servers need it. */
export interface ServerJournal {
  readonly state: { readonly servers?: RunningServers };
  record(record: z.infer<typeof SERVER_STARTED> | z.infer<typeof SERVER_ENDED>): unknown;
  sync(before: 'effect'): void;
}

export interface ServerPorts {
  readonly context: ServerJournal;
  readonly workspace: string;
  readonly processes: SystemProcesses;
  /** The sandboxed processes that commands use; `null` when commands are not confined. */
  readonly confined: SystemProcesses | null;
}

export interface Starting {
  readonly place: ServerPorts;
  readonly name: string;
  readonly entry: ServerEntry;
  readonly signal: AbortSignal;
}

export interface ConnectedServer {
  readonly name: string;
  readonly tools: readonly ServerTool[];
  /** Sentences for people: which tools of the server the run leaves out, and why. */
  readonly left: readonly string[];
  readonly call: CallServer;
  close(): Promise<void>;
}

/** Throws an `Error` that says why the server did not start, and what the journal throws. */
export async function startOne(starting: Starting): Promise<ConnectedServer> {
  const { name } = starting;
  let starts = 1;
  let current = await connectOne(starting);
  const { tools, left } = current;
  const described = new Map(tools.map((tool) => [tool.name, wordsOf(tool)]));
  const again = async (): Promise<ToolResult | null> => {
    if (starts >= MAX_STARTS) {
      const why = `The server ${name} has ended ${MAX_STARTS} times and is not started again.`;
      return failed(why, 'connection_error');
    }
    starts += 1;
    try {
      current = await connectOne(starting);
      return null;
    } catch (error) {
      if (error instanceof TardigradeError) throw error;
      const why = thrownText(error);
      return failed(
        `The server ${name} is gone and does not come back: ${why}`,
        'connection_error',
      );
    }
  };
  return {
    name,
    tools,
    left,
    call: async (tool, args, stop) => {
      const failure = current.isOver() ? await again() : null;
      if (failure !== null) return failure;
      const now = current.tools.find((one) => one.name === tool);
      if (now === undefined || wordsOf(now) !== described.get(tool))
        return failed(`${name} describes ${tool} otherwise since it came back.`, 'mcp_error');
      return await current.call(tool, args, stop);
    },
    close: () => current.close(),
  };
}

const wordsOf = ({ description, args }: ServerTool): string =>
  JSON.stringify([description, args.jsonSchema]);

async function connectOne(starting: Starting): Promise<Connected> {
  const { name, entry, signal } = starting;
  const to = await wayTo(starting, entry);
  const { connectServer: connect } = await import('../../tools/mcp/connect.ts');
  const options = { name, version: VERSION, deadlineMs: CONNECT_MS, callMs: CALL_MS, signal };
  try {
    return await connect(to, options);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    throw cause instanceof TardigradeError ? cause : error;
  }
}

async function wayTo(starting: Starting, entry: ServerEntry): Promise<Wire | WebServer> {
  if ('url' in entry) return entry;
  if ('port' in entry) {
    const within = { connectMs: CONNECT_MS, signal: starting.signal };
    return wireOver((hooks) => openSocket(entry, hooks, within));
  }
  return wireOver(await programOf(starting, entry));
}

async function programOf(
  { place: { context, workspace, ...place }, name }: Starting,
  { command, args = [], env, cwd = '.', sandbox }: ProgramServer,
) {
  const processes = sandbox === true ? place.confined : place.processes;
  if (processes === null)
    throw new Error('it is to run in a sandbox ("sandbox": true), and commands are not confined');
  const { open } = processes;
  const program = await processes.outside.find(command);
  if (program.kind !== 'found') throw new Error(program.reason);
  if (open === undefined) throw new Error('servers cannot be started here');
  const request = {
    file: program.file,
    args: [...program.prefix, ...args],
    // The sandbox contains no other folder.
    cwd: sandbox === true ? workspace : resolve(workspace, cwd),
    env: { ...processes.outside.environment(), ...env },
  };
  const onSpawn = (pid: number, startTime: string): void => {
    const started = { server: name, pid, startTime, place: processes.place };
    context.record({ type: 'server_started', ...started });
    context.sync('effect');
  };
  return (hooks: LineHooks) => open(request, { ...hooks, onSpawn });
}
