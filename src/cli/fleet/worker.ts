/**
 * `agent worker`: works on the runs of a fleet on this machine.
 *
 * 1. This process only talks with the engine; the runs are open in child processes.
 * 2. When it is told to stop, it accepts no new slice, ends the current ones, and releases every run before it exits.
 */
import { availableParallelism } from 'node:os';
import type { FleetRequest } from '../../fleet/contract.ts';
import { guarded } from '../../fleet/guarded.ts';
import { Pool } from '../../fleet/pool.ts';
import { cannotSign } from '../../host/journals/origin.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { visible } from '../../lib/text/visible.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import { listenForInterrupt } from '../process/interrupt.ts';
import { printFolded } from '../render/text/fold.ts';
import { plural } from '../render/text/text.ts';
import { homeIn } from './home.ts';
import { launcher } from './launch.ts';
import { rootOf, rootsOf } from './roots.ts';
import { workerStart } from './sides.ts';

const SLICES_A_PROCESSOR = 4;
const MIN_PROCESSES = 2;

export async function workerCommand(context: CommandContext): Promise<number> {
  const { invocation, terminal } = context;
  if (invocation.slices === true)
    return (await import('./slice-process.ts')).serveSlicesHere(context);
  const start = await workerStart(context);
  const { machine, own, fs } = userResources(terminal);
  const key = own.findOrMake();
  if (key.kind !== 'ok') throw cannotSign(key.why, fs.platform, 'No submitted goal can be checked');
  const roots = rootsOf(context);
  const processes = Math.max(MIN_PROCESSES, availableParallelism());
  const { clock } = machine;
  const pool = new Pool({
    clock: { monotonic: clock.monotonic, every: (ms, act) => terminal.every(ms, act) },
    processes,
    mostSlices: invocation.maxRuns ?? processes * SLICES_A_PROCESSOR,
    launch: launcher(context, machine),
  });
  const home = homeIn(context);
  const refuses = ({ home: wanted, workspace }: FleetRequest): string | null => {
    if (wanted !== undefined)
      return home === null ? 'the run lies in a repository, and this worker was given none' : null;
    return rootOf(roots, workspace, fs.platform) === null
      ? `${workspace} is not below a folder that this worker may work in`
      : null;
  };
  const slices = guarded(pool, { key: key.key, refuses });
  const worker = await start(slices);
  terminal.stdout.write(`${worker.address}\n`);
  printFolded(terminal.stderr, wordsFor(roots, worker.hint));
  pool.warm();
  const stopSaying = sayLoad(context, pool);
  await untilStopped(context, worker.failed, async () => {
    stopSaying();
    worker.stop();
    await pool.close();
    await worker.close();
  });
  return EXIT.achieved;
}

const SAY_MS = 10_000;

/** Prints the load in one line whenever it has changed. */
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
  failed: Promise<never>,
  stop: () => Promise<void>,
): Promise<void> {
  const interrupt = listenForInterrupt(terminal, EXIT.achieved, {
    onFirst: () =>
      printFolded(terminal.stderr, 'Stopping: current slices end, and the runs are given up.\n'),
  });
  const staying = setInterval(() => {}, 1 << 30);
  try {
    await Promise.race([failed, interrupt.stopped]);
  } finally {
    await stop();
    clearInterval(staying);
    interrupt.dispose();
  }
}

const wordsFor = (roots: readonly string[], hint: string): string =>
  [
    `Working in ${roots.join(', ')}.${hint}`,
    'Ctrl+C stops the worker; others continue its runs.',
    '',
  ].join('\n');
