/**
 * `agent worker`: works on the runs of a fleet on this machine.
 *
 * 1. This process does nothing but speak with the engine; the runs are open in processes beside it.
 * 2. Told to stop, it takes no new slice, ends those under way, and gives every run up before it goes.
 */
import { availableParallelism } from 'node:os';
import { guarded } from '../../fleet/guarded.ts';
import { Pool } from '../../fleet/pool.ts';
import { loadSdk, type Sdk } from '../../fleet/restate/sdk.ts';
import { startRestateWorker } from '../../fleet/restate/worker.ts';
import { cannotSign } from '../../host/journals/origin.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { TardigradeError } from '../../lib/errors.ts';
import { visible } from '../../lib/text/visible.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { usageError } from '../process/program-name.ts';
import { printFolded } from '../render/text/fold.ts';
import { plural } from '../render/text/text.ts';
import { launcher } from './launch.ts';
import { fillInPromises } from './promises.ts';
import { rootOf, rootsOf } from './roots.ts';
import { sdkPlaces } from './sdk-places.ts';

const SLICES_A_PROCESSOR = 4;
const LEAST_PROCESSES = 2;

export async function workerCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  if (invocation.slices === true)
    return (await import('./slice-process.ts')).serveSlicesHere(context);
  const { host, port } = addressIn(invocation.listen ?? OPTIONS.listen.usually);
  const sdk = sdkFor(context);
  const { machine, own, fs } = userResources(terminal);
  const key = own.findOrMake();
  if (key.kind !== 'ok') throw cannotSign(key.why, fs.platform, 'No submitted goal can be checked');
  const roots = rootsOf(context);
  const processes = Math.max(LEAST_PROCESSES, availableParallelism());
  const { clock } = machine;
  const pool = new Pool({
    clock: { monotonic: clock.monotonic, every: (ms, act) => terminal.every(ms, act) },
    processes,
    mostSlices: invocation.maxRuns ?? processes * SLICES_A_PROCESSOR,
    launch: launcher(context, machine),
  });
  const refuses = (workspace: string): string | null =>
    rootOf(roots, workspace, fs.platform) === null
      ? `${workspace} is not below a folder that this worker may work in`
      : null;
  const slices = guarded(pool, { key: key.key, refuses });
  const worker = await startRestateWorker(sdk, slices, { host, port }).catch((error: unknown) => {
    throw cannotListen(error, `${host}:${port}`);
  });
  terminal.stdout.write(`http://${host}:${worker.port}\n`);
  printFolded(terminal.stderr, wordsFor(roots));
  pool.warm();
  const stopSaying = sayLoad(context, pool);
  await untilStopped(context, async () => {
    stopSaying();
    await pool.close();
    worker.close();
  });
  return EXIT.achieved;
}

/** Throws E_USAGE where it is not there. */
function sdkFor(context: CommandContext): Sdk {
  fillInPromises();
  const sdk = loadSdk(sdkPlaces(context));
  if (sdk !== null) return sdk;
  throw usageError(
    'A worker needs the SDK of Restate, which is not installed.',
    (agent) => `Install it once: ${agent} setup fleet`,
  );
}

const SAY_MS = 10_000;

/** What there is to do, in a line, where it has changed. */
function sayLoad({ terminal }: CommandContext, pool: Pick<Pool, 'load'>): () => void {
  let before = loadText(pool.load());
  return terminal.every(SAY_MS, () => {
    const text = loadText(pool.load());
    if (text !== before) printFolded(terminal.stderr, `${text}\n`);
    before = text;
  });
}

export function loadText({ working, waiting }: ReturnType<Pool['load']>): string {
  const each = [...waiting].map(([tenant, count]) => `${visible(tenant)} ${count}`);
  const all = [...waiting.values()].reduce((sum, count) => sum + count, 0);
  const tenants = each.length === 0 ? '' : ` (${each.join(', ')})`;
  return `${plural(working, 'slice')} at work, ${all} waiting${tenants}`;
}

async function untilStopped(
  { terminal }: CommandContext,
  stop: () => Promise<void>,
): Promise<void> {
  const interrupt = listenForInterrupt(terminal, EXIT.achieved, {
    onFirst: () =>
      printFolded(terminal.stderr, 'Stopping: current slices end, and the runs are given up.\n'),
    onSecond: () => {},
  });
  const staying = setInterval(() => {}, 1 << 30);
  try {
    if (!interrupt.signal.aborted)
      await new Promise<void>((done) => {
        interrupt.signal.addEventListener('abort', () => done(), { once: true });
      });
    await stop();
  } finally {
    clearInterval(staying);
    interrupt.dispose();
  }
}

/** `HOST:PORT`; an address of IPv6 stands in brackets. */
function addressIn(text: string): { readonly host: string; readonly port: number } {
  const [, bracketed, plain, port = ''] =
    /^(?:\[([\da-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) };
  throw new TardigradeError(
    'E_USAGE',
    `${text} is not an address to listen at.`,
    `Write HOST:PORT, for example ${longFlag(OPTIONS.listen)} 0.0.0.0:9080.`,
  );
}

const cannotListen = (cause: unknown, where: string): TardigradeError =>
  new TardigradeError(
    'E_USAGE',
    `Nothing can listen at ${where} (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    `Choose another with ${longFlag(OPTIONS.listen)}.`,
    { cause },
  );

const wordsFor = (roots: readonly string[]): string =>
  [
    `Working in ${roots.join(', ')}. Register this address with the engine once: docs/fleet.md.`,
    'Ctrl+C stops the worker; others continue its runs.',
    '',
  ].join('\n');
