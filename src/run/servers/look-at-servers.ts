/**
 * Finds out whether servers answer, and with which tools. Each is started and asked as a run would do it, and
 * ended at once. No tool is called and no journal is written: if this process is killed meanwhile, a server
 * ends when its input closes.
 */
import { thrownText } from '../../lib/callback.ts';
import { shortened } from '../../lib/text/shortened.ts';
import type { SandboxMode } from '../../schema/config.ts';
import type { ServerEntries, ServerEntry } from '../../schema/servers.ts';
import type { Machine } from '../machine.ts';
import { chooseSandbox } from '../tools/choose-sandbox.ts';
import { type ServerJournal, type ServerPorts, startOne } from './one-server.ts';
import { processesFor } from './start-servers.ts';

export interface ServersToLookAt {
  readonly workspace: string;
  readonly servers: ServerEntries;
  /** The sandbox mode of the next run. */
  readonly sandbox: SandboxMode;
  readonly signal: AbortSignal;
}

export interface ServerLook {
  readonly name: string;
  /** The names that the server gives its tools; `null`: it does not answer. */
  readonly tools: readonly string[] | null;
  /** Sentences: why it does not answer, or which tools a run leaves out. */
  readonly notes: readonly string[];
}

const MAX_WORDS = 300;
const NO_JOURNAL: ServerJournal = { state: {}, record: () => {}, sync: () => {} };

/** Asks all servers at once. A server that is slower than a run allows counts as not answering. */
export async function lookAtServers(
  machine: Machine,
  { workspace: folder, servers, sandbox: mode, signal }: ServersToLookAt,
): Promise<readonly ServerLook[]> {
  const workspace = machine.fs.realpath(folder);
  const entries = Object.entries(servers);
  const wantsOne = entries.some(([, entry]) => 'sandbox' in entry && entry.sandbox === true);
  // A run ends before its servers start if it lacks a required sandbox; here the servers are still asked.
  const wished = mode === 'off' || !wantsOne ? 'off' : 'auto';
  const choice = { machine, workspace, signal, sandbox: wished, sandboxAtLeast: 'off' } as const;
  const sandbox = await chooseSandbox(choice);
  const processes = processesFor(workspace, sandbox, machine);
  const place = { context: NO_JOURNAL, workspace, ...processes };
  return Promise.all(entries.map(([name, entry]) => lookAt(place, name, entry, signal)));
}

async function lookAt(
  place: ServerPorts,
  name: string,
  entry: ServerEntry,
  signal: AbortSignal,
): Promise<ServerLook> {
  try {
    const { tools, left, close } = await startOne({ place, name, entry, signal });
    await close();
    return { name, tools: tools.map((tool) => tool.name), notes: left };
  } catch (error) {
    const why = thrownText(error);
    return { name, tools: null, notes: [shortened(why, MAX_WORDS)] };
  }
}
