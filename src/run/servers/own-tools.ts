/**
 * The tools that an embedding program adds to a run.
 * 1. A name belongs to exactly one tool.
 * 2. A resumed run has the tools that its journal names, with the same descriptions, or a stand-in that
 *    refuses.
 */

import { thrownText } from '../../lib/callback.ts';
import { misuse } from '../../lib/errors.ts';
import { interrupted } from '../../lib/interruptible.ts';
import { within } from '../../lib/within.ts';
import type { Tool } from '../../tools/contract.ts';
import { ownTool } from '../../tools/own/own-tool.ts';
import type { PlainTool, Toolset } from '../../tools/own/plain-tool.ts';
import { isStandardSchema } from '../../tools/own/standard-schema.ts';
import { builtinNames, isBuiltin } from '../../tools/registry.ts';
import type { RunRequest } from '../options.ts';
import {
  asOfferedBefore,
  type EmitNotice,
  isOfServer,
  type OfferedToolsPort,
  offeredBefore,
  type Whose,
} from './offered-tools.ts';
import type { Servers } from './start-servers.ts';

/** Milliseconds a toolset has to list its tools. */
const OPEN_MS = 30_000;
/** Milliseconds all toolsets have to close. One that never closes must not hold up the run. */
const CLOSE_MS = 5_000;

/** The run or conversation that owns the tools. */
export interface OwnToolsOf {
  readonly context: OfferedToolsPort['context'] & { readonly emit: EmitNotice };
}

type OwnToolsRequest = Pick<RunRequest, 'tools' | 'machine' | 'signal' | 'shell' | 'web'>;

/**
 * Combines the tools of servers and program. Throws E_USAGE for something that is not a tool. The caller
 * remains responsible for closing the servers.
 */
export async function withOwnTools(
  servers: Servers,
  opened: OwnToolsOf,
  request: OwnToolsRequest,
): Promise<Servers> {
  const own = await openOwnTools(opened, request);
  const close = async (): Promise<void> => {
    await Promise.all([servers.close(), own.close()]);
  };
  return { tools: [...servers.tools, ...own.tools], close };
}

async function openOwnTools(
  opened: OwnToolsOf,
  { tools, machine, signal, shell, web }: OwnToolsRequest,
): Promise<Servers> {
  const toldOf = offeredBefore(opened, (one) => !isBuiltin(one) && !isOfServer(one));
  if (tools.length === 0 && toldOf.length === 0) return { tools: [], close: async () => {} };
  const sets = tools.filter(isToolset);
  const close = async (): Promise<void> => {
    const closed = Promise.allSettled(sets.map(async (set) => set.close?.()));
    await within(closed, CLOSE_MS, machine.clock);
  };
  try {
    const { clock } = machine;
    const lists = await Promise.all(
      tools.map((one) => (isToolset(one) ? listOf(one, clock, signal) : [one])),
    );
    const all = lists.flat();
    const readSchema = all.every((one) => isStandardSchema(one?.inputSchema))
      ? null
      : (await import('../../tools/mcp/connect.ts')).jsonSchema;
    const found = all.map((plain) => ownTool(plain, { clock, readSchema }));
    refuseTwins(found, builtinNames({ shell, web: web === 'on' }));
    const { context } = opened;
    const isBegun = context.state.settings !== null;
    const kept = isBegun
      ? asOfferedBefore(found, toldOf, (event) => context.emit(event), OF_PROGRAM)
      : found;
    return { tools: kept, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const isToolset = (one: PlainTool | Toolset): one is Toolset =>
  typeof one === 'object' && one !== null && 'tools' in one && !('execute' in one);

async function listOf(
  set: Toolset,
  clock: RunRequest['machine']['clock'],
  signal: AbortSignal,
): Promise<readonly PlainTool[]> {
  const done = new AbortController();
  const late = clock
    .sleep(OPEN_MS, AbortSignal.any([signal, done.signal]))
    .then(() => Promise.reject(new Error(`no answer within ${OPEN_MS / 1000} s`)));
  // A toolset that throws at once must not leave the rejection of `late` without a listener.
  const list = async () => set.tools(signal);
  try {
    return await Promise.race([list(), late]);
  } catch (cause) {
    if (signal.aborted) throw interrupted();
    throw misuse(
      `The tools of ${set.name} are not available: ${thrownText(cause)}.`,
      'Fix it, or leave it out.',
      { cause },
    );
  } finally {
    done.abort();
  }
}

function refuseTwins(found: readonly Tool[], builtin: readonly string[]): void {
  const names = new Set(builtin);
  for (const { name } of found) {
    if (names.has(name))
      throw misuse(`There are two tools called ${name}.`, 'Give yours another name.');
    names.add(name);
  }
}

const OF_PROGRAM: Whose = {
  tools: 'this program',
  status: 'connection_error',
  gone: 'is not there any more: the program does not bring it along. Use another tool.',
  changed: 'was not called: the program describes it otherwise than before. Use another tool.',
  next: null,
};
