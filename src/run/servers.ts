/**
 * The servers of tools of one run: started together, journalled, ended with it.
 * 1. What an earlier process left of them is ended first.
 * 2. One that does not come in time is left out and said; one that is required ends the start.
 * 3. A run that goes on has the tools that its journal told of, in the same words, or none in their place.
 * 4. A server that ended by itself is started again by the next call, twice at most.
 */
import { TardigradeError } from '../lib/errors.ts';
import { shortened } from '../lib/shortened.ts';
import { VERSION } from '../lib/version.ts';
import { chooseContextWindow } from '../llm/models/choose-model.ts';
import type { SystemProcesses } from '../processes/system-processes.ts';
import type { RunEvent } from '../schema/events.ts';
import type { ServerEntry } from '../schema/servers.ts';
import type { ToolDefinition } from '../schema/turn.ts';
import type { Tool } from '../tools/contract.ts';
import type { Connected, ServerTool } from '../tools/mcp/connect.ts';
import { wireName } from '../tools/mcp/names.ts';
import { goneTool, serverTool } from '../tools/mcp/server-tool.ts';
import { wireOver } from '../tools/mcp/wire.ts';
import { toolDefinitions } from '../tools/registry.ts';
import { failed } from '../tools/result.ts';
import type { ChosenModel } from './choose-model.ts';
import type { OpenedRun } from './open.ts';
import type { RunRequest } from './options.ts';
import { raiseFormat } from './resume.ts';
import { hasWritten } from './tool-context.ts';

export interface Servers {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** Before any is started. */
export const NO_SERVERS: Servers = { tools: [], close: async () => {} };

const CONNECT_MS = 10_000;
const CALL_MS = 120_000;
const MOST_STARTS = 3;
/** Of the window, for all descriptions together. */
const SHARE = 1 / 8;
const CHARS_PER_TOKEN = 3.2;

interface Place {
  readonly context: OpenedRun['context'];
  readonly workspace: string;
  readonly processes: SystemProcesses;
}

/** The window that a run begins with, in tokens. */
export const windowOf = ({ info, candidate }: ChosenModel): number =>
  chooseContextWindow(info, candidate.contextWindow).tokens;

/** @param window in tokens. Throws E_PROVIDER for a server that is required and does not come. */
export async function startServers(
  opened: OpenedRun,
  { servers, signal, machine }: Pick<RunRequest, 'servers' | 'signal' | 'machine'>,
  window: number,
): Promise<Servers> {
  const { context, workspace } = opened;
  const entries = Object.entries(servers);
  const told = toldBefore(opened);
  const left = Object.keys(context.state.servers ?? {});
  if (entries.length === 0 && told.length === 0 && left.length === 0) return NO_SERVERS;
  const processes = machine.processes(workspace, hasWritten(opened));
  const place = { context, workspace, processes };
  raiseFormat({ context });
  await endLeftovers(place);
  const all = await Promise.all(
    entries.map(([name, entry]) => startOne({ place, name, entry, signal })),
  );
  const running = all.flatMap((one) => ('why' in one ? [] : [one]));
  const close = async (): Promise<void> => {
    await Promise.all(running.map((one) => one.close()));
  };
  const emit = (event: RunEvent): void => context.tell(event);
  for (const { name, entry, why } of all.flatMap((one) => ('why' in one ? [one] : []))) {
    const text = `The MCP server ${name} is left out: ${shortened(why, 300)}`;
    if (!entry.required) {
      emit({ type: 'notice', level: 'warning', text });
      continue;
    }
    await close();
    throw new TardigradeError('E_PROVIDER', text, 'Mend it, or take it out of your settings.');
  }
  const taken = new Set<string>();
  const found = running.flatMap((one) =>
    one.tools.map((tool) => {
      const wire = wireName(one.name, tool.name, taken);
      taken.add(wire);
      return serverTool(one.name, tool, { name: wire, call: one.call });
    }),
  );
  const isBegun = context.state.settings !== null;
  const tools = isBegun ? asTold(found, told, emit) : within(found, window, emit);
  return { tools, close };
}

/** What a crash left of the servers that the journal says run. */
async function endLeftovers({ context, processes }: Place): Promise<void> {
  for (const [server, { pid, startTime, place }] of Object.entries(context.state.servers ?? {})) {
    await processes.endLeftover({ pid, startTime }, place);
    context.record({ type: 'server_ended', server });
  }
}

interface Starting {
  readonly place: Place;
  readonly name: string;
  readonly entry: ServerEntry;
  readonly signal: AbortSignal;
}

interface Running {
  readonly name: string;
  readonly tools: readonly ServerTool[];
  readonly call: Parameters<typeof serverTool>[2]['call'];
  close(): Promise<void>;
}

type NotStarted = Pick<Starting, 'name' | 'entry'> & { readonly why: string };

async function startOne(starting: Starting): Promise<Running | NotStarted> {
  const { name, entry, signal } = starting;
  let starts = 1;
  let current: { readonly connected: Connected; isOver(): boolean };
  try {
    current = await connectOne(starting);
  } catch (error) {
    if (error instanceof TardigradeError || signal.aborted) throw error;
    return { name, entry, why: error instanceof Error ? error.message : String(error) };
  }
  return {
    name,
    tools: current.connected.tools,
    call: async (tool, args, stop) => {
      if (current.isOver()) {
        if (starts >= MOST_STARTS)
          return failed(
            `The server ${name} has ended ${MOST_STARTS} times and is not started again.`,
          );
        starts += 1;
        try {
          current = await connectOne(starting);
        } catch (error) {
          if (error instanceof TardigradeError) throw error;
          return failed(
            `The server ${name} has ended and cannot be started again: ${String(error)}`,
          );
        }
      }
      return await current.connected.call(tool, args, stop);
    },
    close: () => current.connected.close(),
  };
}

/** Throws an `Error` that says why it does not come. */
async function connectOne({ place, name, entry, signal }: Starting) {
  const { context, workspace, processes } = place;
  const { open } = processes;
  const program = await processes.programs.find(entry.command);
  if (program.kind !== 'found') throw new Error(program.reason);
  if (open === undefined) throw new Error('servers cannot be started here');
  const request = {
    file: program.file,
    args: [...program.prefix, ...(entry.args ?? [])],
    cwd: workspace,
    env: { ...processes.programs.environment(), ...entry.env },
  };
  let isOver = false;
  const wire = wireOver((hooks) =>
    open(request, {
      onText: hooks.onText,
      onSpawn: (pid, startTime) => {
        context.record({
          type: 'server_started',
          server: name,
          pid,
          startTime,
          place: processes.place,
        });
        context.sync('effect');
      },
      onEnd: (detail) => {
        isOver = true;
        hooks.onEnd(detail);
      },
    }),
  );
  const { connect } = await import('../tools/mcp/connect.ts');
  const options = { name, version: VERSION, deadlineMs: CONNECT_MS, callMs: CALL_MS, signal };
  return { connected: await connect(wire, options), isOver: () => isOver };
}

const MARK = 'mcp__';

/** By the name that a model calls it with. */
export const isOfServer = (name: string): boolean => name.startsWith(MARK);

function toldBefore({ context }: Pick<Place, 'context'>): readonly ToolDefinition[] {
  const { settings } = context.state;
  if (settings === null || settings.tools === null) return [];
  const all = JSON.parse(context.textOf(settings.tools)) as readonly ToolDefinition[];
  return all.filter(({ name }) => isOfServer(name));
}

/** Only what is as it was told; what is not stands for itself and says so. */
function asTold(
  found: readonly Tool[],
  told: readonly ToolDefinition[],
  emit: (event: RunEvent) => void,
): readonly Tool[] {
  const now = new Map(
    toolDefinitions(found).map((definition) => [JSON.stringify(definition), definition.name]),
  );
  const same = told.filter((definition) => now.has(JSON.stringify(definition)));
  const lost = told.filter((definition) => !now.has(JSON.stringify(definition)));
  const others = found.length - same.length;
  if (lost.length > 0 || (others > 0 && told.length > 0)) {
    const gone =
      lost.length > 0
        ? ` Not there as it was told: ${lost.map(({ name }) => name).join(', ')}.`
        : '';
    const more = others > 0 ? ` Left out, since this run was not told of it: ${others}.` : '';
    const text = `The tools of MCP servers have changed since this run began.${gone}${more}`;
    emit({ type: 'notice', level: 'warning', text: shortened(text, 600) });
  }
  return told.flatMap((definition) => {
    const { name, description, parameters } = definition;
    const tool = same.includes(definition) ? found.find((one) => one.name === name) : undefined;
    return [tool ?? goneTool(name, description, parameters)];
  });
}

function within(
  found: readonly Tool[],
  window: number,
  emit: (event: RunEvent) => void,
): readonly Tool[] {
  let room = window * SHARE * CHARS_PER_TOKEN;
  const kept = found.filter((tool) => {
    room -= JSON.stringify(toolDefinitions([tool])).length;
    return room >= 0;
  });
  if (kept.length < found.length) {
    const left = found.filter((tool) => !kept.includes(tool)).map(({ name }) => name);
    const text = `The model is not told of ${left.length} tools of MCP servers, for want of room: ${left.join(', ')}`;
    emit({ type: 'notice', level: 'warning', text: shortened(text, 600) });
  }
  return kept;
}
