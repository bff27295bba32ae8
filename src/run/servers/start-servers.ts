/**
 * The MCP servers of one run: started together, journalled, and ended with the run.
 * 1. Leftovers of an earlier process are ended first.
 * 2. A server that does not start in time is left out with a notice. If it is required, the start fails.
 * 3. A resumed run has the tools that its journal names, with the same descriptions, or stand-ins, unless
 *    someone asks to refresh them.
 * 4. Whatever throws, no server is left running.
 * 5. Servers run outside the sandbox of commands unless their entry says otherwise; the user is told so.
 */

import { driverOf } from '../../drivers/driver-of.ts';
import { isSecretFile } from '../../languages/files/secret-files.ts';
import { thrownText } from '../../lib/callback.ts';
import { defined } from '../../lib/defined.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { shortened } from '../../lib/text/shortened.ts';
import { chooseContextWindow } from '../../llm/models/choose-model.ts';
import type { Leftover } from '../../processes/contract.ts';
import { whereElse } from '../../processes/leftovers.ts';
import type { ServerEntry } from '../../schema/servers.ts';
import type { Tool } from '../../tools/contract.ts';
import { wireName } from '../../tools/mcp/names.ts';
import { serverTool } from '../../tools/mcp/server-tool.ts';
import type { OpenedRun } from '../open.ts';
import type { RunRequest } from '../options.ts';
import type { ChosenModel } from '../start/choose-model.ts';
import type { SandboxChoice } from '../tools/choose-sandbox.ts';
import { type Beside, processesBehind } from '../tools/confinement.ts';
import {
  asOfferedBefore,
  type EmitNotice,
  offeredBefore,
  toolsWithinWindow,
} from './offered-tools.ts';
import { type ConnectedServer, type ServerPorts, type Starting, startOne } from './one-server.ts';

export interface Servers {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** The value before any server is started. */
export const NO_SERVERS: Servers = { tools: [], close: async () => {} };

/** The window that a run begins with, in tokens. */
export const initialWindow = ({ info, candidate }: ChosenModel): number =>
  chooseContextWindow(info, candidate.contextWindow).tokens;

type ServerOptions = Pick<RunRequest, 'servers' | 'signal' | 'machine' | 'refreshTools'>;

/** @param window in tokens. Throws E_PROVIDER when a required server does not start. */
export async function startServers(
  opened: Pick<OpenedRun, 'context' | 'workspace' | 'isOurs'>,
  { servers, signal, machine, refreshTools }: ServerOptions,
  window: number,
  sandbox: SandboxChoice,
  beside: Beside,
): Promise<Servers> {
  const { context, workspace } = opened;
  const { settings } = context.state;
  const tell: EmitNotice = (event) => context.emit(event);
  const entries = Object.entries(servers);
  const offered = offeredBefore(opened);
  const left = Object.keys(context.state.servers ?? {});
  if (entries.length === 0 && offered.length === 0 && left.length === 0) return NO_SERVERS;
  const place = { context, workspace, ...processesFor(workspace, sandbox, machine, beside) };
  reportUnconfined(entries, sandbox, tell);
  await endLeftovers(place, tell);
  const running = await startAll(
    entries.map(([name, entry]) => ({ place, name, entry, signal })),
    tell,
  );
  const found = running.flatMap(toolsOf);
  // If nothing was said in a conversation yet, its model knows no tools.
  const isBegun = settings !== null && !refreshTools && context.state.chat?.messages !== 0;
  // A model that is offered no server tools does not miss any.
  const say = settings === null || driverOf(settings).hasFurtherTools ? tell : () => {};
  const tools = isBegun
    ? asOfferedBefore(found, offered, say)
    : toolsWithinWindow(found, window, say);
  const close = async (): Promise<void> => {
    await closeAll(running);
    recordEnds(opened);
  };
  return { tools, close };
}

export function processesFor(
  workspace: string,
  sandbox: SandboxChoice,
  machine: ServerOptions['machine'],
  beside?: Beside,
): Pick<ServerPorts, 'processes' | 'confined'> {
  const policy = () => ({ hides: isSecretFile });
  const behind = processesBehind(sandbox, {
    machine,
    workspace,
    folders: null,
    policy,
    ...defined({ beside }),
  });
  const confined = behind.isSandboxed ? behind.processes : null;
  return { processes: machine.processes(workspace, []), confined };
}

/** People who have commands confined might assume that servers are, too. */
function reportUnconfined(
  entries: readonly [string, ServerEntry][],
  sandbox: SandboxChoice,
  tell: EmitNotice,
): void {
  if (sandbox.found?.kind !== 'holds') return;
  const outside = entries.filter(([, entry]) => 'command' in entry && entry.sandbox !== true);
  if (outside.length === 0) return;
  const names = shortened(outside.map(([name]) => name).join(', '), 200);
  const text = `Commands are confined, programs of MCP servers are not: ${names}. What confines one is \`"sandbox": true\` in its entry.`;
  tell({ type: 'notice', level: 'warning', text });
}

/** A resume after a pause then has no leftovers to look for. A run that has ended is not resumed. */
function recordEnds({ context, isOurs }: Pick<OpenedRun, 'context' | 'isOurs'>): void {
  if (context.state.ended !== null || !isOurs()) return;
  try {
    for (const server of Object.keys(context.state.servers ?? {}))
      context.record({ type: 'server_ended', server });
  } catch (error) {
    // If this cannot be written, the next start looks for leftovers and finds none.
    if (!(error instanceof TardigradeError)) throw error;
  }
}

const toolsOf = ({ name, tools, call }: ConnectedServer): readonly Tool[] =>
  tools.map((tool) => serverTool(name, tool, { name: wireName(name, tool.name), call }));

const leftWords = (left: Exclude<Leftover, 'none'>, where: string): string =>
  ({
    ended: 'was still running and has been ended.',
    still_running: 'is still running and could not be ended.',
    may_run: `may still run${where}: look, and end it yourself.`,
  })[left];

/** Ends servers that the journal lists as running, after a crash. */
async function endLeftovers({ context, processes }: ServerPorts, tell: EmitNotice): Promise<void> {
  for (const [server, { pid, startTime, place }] of Object.entries(context.state.servers ?? {})) {
    const left = await processes.endLeftover({ pid, startTime }, place);
    if (left !== 'none') {
      const text = `The MCP server ${server} of the start before ${leftWords(left, whereElse(place, processes.place))}`;
      tell({ type: 'notice', level: 'warning', text, server });
    }
    context.record({ type: 'server_ended', server });
  }
}

async function startAll(
  starting: readonly Starting[],
  emit: EmitNotice,
): Promise<readonly ConnectedServer[]> {
  const outcomes = await Promise.allSettled(starting.map(startOne));
  const running = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  try {
    outcomes.forEach((outcome, at) => {
      const one = starting[at];
      if (outcome.status === 'rejected' && one !== undefined)
        reportLeftOut(one, outcome.reason, emit);
    });
  } catch (error) {
    await closeAll(running);
    throw error;
  }
  for (const { name, left } of running.filter((one) => one.left.length > 0)) {
    const text = `Of the MCP server ${name} are left out: ${shortened(left.join('; '), 300)}`;
    emit({ type: 'notice', level: 'warning', text, server: name });
  }
  return running;
}

function reportLeftOut({ name, entry, signal }: Starting, reason: unknown, emit: EmitNotice): void {
  if (reason instanceof TardigradeError || signal.aborted) throw reason;
  const why = thrownText(reason);
  const text = `The MCP server ${name} is left out: ${shortened(why, 300)}`;
  if (entry.required)
    throw new TardigradeError('E_PROVIDER', text, 'Fix it, or take it out of your settings.');
  emit({ type: 'notice', level: 'warning', text, server: name });
}

const closeAll = async (running: readonly ConnectedServer[]): Promise<void> => {
  await Promise.all(running.map((one) => one.close()));
};
