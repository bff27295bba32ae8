/**
 * The servers of tools of one run: started together, journalled, ended with it.
 * 1. What an earlier process left of them is ended first.
 * 2. One that does not come in time is left out and said; one that is required ends the start.
 * 3. A run that goes on has the tools that its journal told of, in the same words, or none in their place,
 *    unless somebody asks that it be told of them anew.
 * 4. Whatever throws, none of them is left running.
 * 5. They run outside of the sandbox that commands have, unless their entry says otherwise; that is said.
 */
import { driverOf } from '../../drivers/driver-of.ts';
import { isSecretFile } from '../../languages/files/secret-files.ts';
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
import { NO_SANDBOX, type SandboxChoice } from '../tools/choose-sandbox.ts';
import { processesBehind } from '../tools/confinement.ts';
import { asOfferedBefore, type Emit, offeredBefore, within } from './offered-tools.ts';
import { type Running, type ServerPorts, type Starting, startOne } from './one-server.ts';

export interface Servers {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** Before any is started. */
export const NO_SERVERS: Servers = { tools: [], close: async () => {} };

/** The window that a run begins with, in tokens. */
export const windowOf = ({ info, candidate }: ChosenModel): number =>
  chooseContextWindow(info, candidate.contextWindow).tokens;

type ServerOptions = Pick<RunRequest, 'servers' | 'signal' | 'machine' | 'refreshTools'>;

/** @param window in tokens. Throws E_PROVIDER for a server that is required and does not come. */
export async function startServers(
  opened: Pick<OpenedRun, 'context' | 'workspace' | 'isOurs'>,
  { servers, signal, machine, refreshTools }: ServerOptions,
  window: number,
  sandbox: SandboxChoice = NO_SANDBOX,
): Promise<Servers> {
  const { context, workspace } = opened;
  const { settings } = context.state;
  const tell: Emit = (event) => context.emit(event);
  const entries = Object.entries(servers);
  const told = offeredBefore(opened);
  const left = Object.keys(context.state.servers ?? {});
  if (entries.length === 0 && told.length === 0 && left.length === 0) return NO_SERVERS;
  const place = { context, workspace, ...processesFor(workspace, sandbox, machine) };
  reportUnconfined(entries, sandbox, tell);
  await endLeftovers(place, tell);
  const running = await startAll(
    entries.map(([name, entry]) => ({ place, name, entry, signal })),
    tell,
  );
  const found = running.flatMap(toolsOf);
  // Of a conversation in which nothing was said no model has heard of anything.
  const isBegun = settings !== null && !refreshTools && context.state.chat?.messages !== 0;
  // A model that is told of none misses none.
  const say = settings === null || driverOf(settings).hasFurtherTools ? tell : () => {};
  const tools = isBegun ? asOfferedBefore(found, told, say) : within(found, window, say);
  const close = async (): Promise<void> => {
    await closeAll(running);
    recordEnds(opened);
  };
  return { tools, close };
}

function processesFor(
  workspace: string,
  sandbox: SandboxChoice,
  machine: ServerOptions['machine'],
): Pick<ServerPorts, 'processes' | 'confined'> {
  const policy = () => ({ hides: isSecretFile });
  const behind = processesBehind(sandbox, { machine, workspace, folders: null, policy });
  const confined = behind.isSandboxed ? behind.processes : null;
  return { processes: machine.processes(workspace, []), confined };
}

/** Who has commands confined might take it for granted. */
function reportUnconfined(
  entries: readonly [string, ServerEntry][],
  sandbox: SandboxChoice,
  tell: Emit,
): void {
  if (sandbox.found?.kind !== 'holds') return;
  const outside = entries.filter(([, entry]) => 'command' in entry && entry.sandbox !== true);
  if (outside.length === 0) return;
  const names = shortened(outside.map(([name]) => name).join(', '), 200);
  const text = `Commands are confined, programs of MCP servers are not: ${names}. What confines one is \`"sandbox": true\` in its entry.`;
  tell({ type: 'notice', level: 'warning', text });
}

/** A start after a pause has nothing to look for; of a run that is over nobody looks. */
function recordEnds({ context, isOurs }: Pick<OpenedRun, 'context' | 'isOurs'>): void {
  if (context.state.ended !== null || !isOurs()) return;
  try {
    for (const server of Object.keys(context.state.servers ?? {}))
      context.record({ type: 'server_ended', server });
  } catch (error) {
    // Where it cannot be written, the next start looks, and finds nothing.
    if (!(error instanceof TardigradeError)) throw error;
  }
}

const toolsOf = ({ name, tools, call }: Running): readonly Tool[] =>
  tools.map((tool) => serverTool(name, tool, { name: wireName(name, tool.name), call }));

const leftWords = (left: Exclude<Leftover, 'none'>, where: string): string =>
  ({
    ended: 'was still running and has been ended.',
    still_running: 'is still running and could not be ended.',
    may_run: `may still run${where}: look, and end it yourself.`,
  })[left];

/** What a crash left of the servers that the journal says run. */
async function endLeftovers({ context, processes }: ServerPorts, tell: Emit): Promise<void> {
  for (const [server, { pid, startTime, place }] of Object.entries(context.state.servers ?? {})) {
    const left = await processes.endLeftover({ pid, startTime }, place);
    if (left !== 'none') {
      const text = `The MCP server ${server} of the start before ${leftWords(left, whereElse(place, processes.place))}`;
      tell({ type: 'notice', level: 'warning', text, server });
    }
    context.record({ type: 'server_ended', server });
  }
}

async function startAll(starting: readonly Starting[], emit: Emit): Promise<readonly Running[]> {
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

function reportLeftOut({ name, entry, signal }: Starting, reason: unknown, emit: Emit): void {
  if (reason instanceof TardigradeError || signal.aborted) throw reason;
  const why = reason instanceof Error ? reason.message : String(reason);
  const text = `The MCP server ${name} is left out: ${shortened(why, 300)}`;
  if (entry.required)
    throw new TardigradeError('E_PROVIDER', text, 'Fix it, or take it out of your settings.');
  emit({ type: 'notice', level: 'warning', text, server: name });
}

const closeAll = async (running: readonly Running[]): Promise<void> => {
  await Promise.all(running.map((one) => one.close()));
};
