/**
 * The process in which a worker opens its runs. Each run is opened as the command line of a run would open it, with the
 * options of its request, and waits at its first step until the worker asks for a slice.
 */
import { once } from 'node:events';
import { hostname } from 'node:os';
import type { OwnedRun, RunResult } from '../../agent.ts';
import type { FleetAnswer, FleetRequest } from '../../fleet/contract.ts';
import { sharedCooldowns } from '../../fleet/cooldowns.ts';
import { LEASE_MS, type Order } from '../../fleet/messages.ts';
import { serveSlices } from '../../fleet/serve-slices.ts';
import { OpenRuns } from '../../fleet/slices.ts';
import { userResources } from '../../host/user/user-resources.ts';
import { type Leases, watchLeases } from '../../journal/lock/lease.ts';
import { misuse, refusalOf, TardigradeError } from '../../lib/errors.ts';
import type { SharedCooldowns } from '../../llm/failover/shared.ts';
import { longFlag, OPTIONS } from '../../options/table.ts';
import { EXIT } from '../../run/exit-codes.ts';
import type { CommandContext } from '../command-context.ts';
import type { Terminal } from '../process/terminal.ts';
import { unattended } from '../process/unattended.ts';
import { homeHere, openAtHome, requireHome } from './home.ts';
import { rootOf, rootsOf } from './roots.ts';

/** More open runs would only fill the memory. */
const MAX_OPEN = 200;
/** Much shorter than a turn of a real model. */
const MIN_MS = 200;

export async function serveSlicesHere(context: CommandContext): Promise<number> {
  const { terminal } = context;
  if (process.send === undefined)
    throw misuse(
      `${longFlag(OPTIONS.slices)} is for the processes of a worker.`,
      'Start a worker without it.',
    );
  const { clock } = terminal;
  const leases = watchLeases(LEASE_MS, clock);
  const roots = rootsOf(context);
  const { fs } = userResources(terminal);
  const cooldownsFor = ({ workspace, tenant }: FleetRequest): SharedCooldowns => {
    const root = rootOf(roots, workspace, fs.platform) ?? workspace;
    return sharedCooldowns({ fs, clock, root, tenant });
  };
  const home = homeHere(context);
  const slices = new OpenRuns({
    clock,
    mostOpen: MAX_OPEN,
    leastMs: MIN_MS,
    open: (request, signal) => {
      const here = (placed: FleetRequest, more: Partial<Held> = {}) =>
        openHere(context, placed, { signal, leases, cooldowns: cooldownsFor(placed), ...more });
      if (request.home === undefined) return here(request);
      return openAtHome(requireHome(home), request, (claim, beforeEffect) =>
        here(
          { ...request, workspace: claim.workspace },
          { signal: AbortSignal.any([signal, claim.lost]), beforeEffect },
        ),
      );
    },
    answer: async (request, answer) => {
      if (request.home === undefined) return answerHere(context, request, answer);
      const claim = await requireHome(home).claim(request.run);
      try {
        return answerHere(context, { ...request, workspace: claim.workspace }, answer);
      } finally {
        await claim.giveUp([]);
      }
    },
  });
  const side = {
    send: (report: object) => void (process.connected && process.send?.(report, () => {})),
    listen: (onOrder: (order: Order | null) => void) => {
      process.on('message', (order) => onOrder(order as Order));
      process.on('disconnect', () => onOrder(null));
    },
  };
  await serveSlices(slices, side, {
    monotonic: clock.monotonic,
    every: (ms, act) => terminal.every(ms, act),
  });
  await home?.close().catch(() => {});
  if (process.connected) process.disconnect();
  return EXIT.achieved;
}

interface Held {
  /** Aborted: the current work ends. */
  readonly signal: AbortSignal;
  readonly leases: Leases;
  readonly cooldowns: SharedCooldowns;
  readonly beforeEffect?: () => Promise<void>;
}

/** Throws what the command of the run would have printed. */
async function openHere(
  { terminal, engine, again, invocation }: CommandContext,
  request: FleetRequest,
  { signal, ...held }: Held,
): Promise<OwnedRun> {
  const said = { text: '' };
  const over = new AbortController();
  let last: RunResult | null = null;
  let ended: Promise<number> = Promise.resolve(EXIT.achieved);
  const opened = new Promise<OwnedRun>((resolve, reject) => {
    const runGoal: CommandContext['engine']['runGoal'] = async (options) => {
      const signals = [signal, ...(options.signal === undefined ? [] : [options.signal])];
      const active = await engine
        .openRun({
          ...options,
          ...held,
          run: request.run,
          worker: `${hostname()}/${process.pid}`,
          signal: AbortSignal.any(signals),
        })
        .catch((error: unknown) => {
          reject(error);
          throw error;
        });
      resolve(active);
      if (!over.signal.aborted) await once(over.signal, 'abort');
      await active.close();
      if (last === null) throw new TardigradeError('E_INTERRUPTED', 'Given up.', '');
      return last;
    };
    const words = sliceWords(request, invocation.sandbox);
    ended = again(words, quiet(terminal, request, said), { ...engine, runGoal });
    void ended.then((code) => reject(cannotStart(code, said.text)));
  });
  const active = await opened;
  const takeStep: OwnedRun['takeStep'] = async (isDue) => {
    last = await active.takeStep(isDue);
    return last;
  };
  last = active.result;
  return {
    ...active,
    takeStep,
    close: async () => {
      over.abort();
      await ended;
    },
  };
}

/** The words of a slice. The worker decides about the sandbox, so its option comes last. */
export const sliceWords = (
  { words, workspace }: Pick<FleetRequest, 'words' | 'workspace'>,
  sandbox = 'require',
): readonly string[] => [
  ...['run', '-', ...words],
  ...[longFlag(OPTIONS.sandbox), sandbox, longFlag(OPTIONS.workspace), workspace],
];

const MAX_SAID = 4000;

/** Nobody watches. The output is kept to explain why a run could not even start. */
function quiet(terminal: Terminal, { goal }: FleetRequest, said: { text: string }): Terminal {
  const hear = (text: string): void => {
    said.text = (said.text + text).slice(-MAX_SAID);
  };
  return {
    ...unattended(terminal, () => {}, hear),
    readAllInput: () => Promise.resolve(goal),
  };
}

/** An unreachable model is tried again; any other failure needs a person. */
const cannotStart = (code: number, said: string): TardigradeError =>
  new TardigradeError(
    code === EXIT.provider ? 'E_PROVIDER' : 'E_USAGE',
    said.trim() || `The run could not be opened (exit code ${code}).`,
    '',
  );

function answerHere(
  { engine }: CommandContext,
  { run, workspace }: FleetRequest,
  { id, allowed, why }: FleetAnswer,
): string | null {
  const refusal = refusalOf(() => {
    if (engine.readRun(workspace)?.run !== run)
      throw misuse('another run is the current one there', '');
    // The engine asks again if a worker was killed before it could report.
    engine.answer({ workspace, id, allowed, why, mayRepeat: true });
  });
  return refusal?.message ?? null;
}
