import { type RunResult, runGoal } from '../src/agent.ts';
import { systemClock } from '../src/lib/clock.ts';
import { type Candidate, DEFAULT_PROFILE } from '../src/llm/failover/candidate.ts';
import { ProviderError } from '../src/llm/provider.ts';
import { systemMachine } from '../src/round/machine.ts';
import type { RunEvent } from '../src/schema/events.ts';
import type { FakeOllama } from '../test/support/fake-ollama.ts';
import {
  FAULTS,
  type Fault,
  faultyServer,
  healthyServer,
  lockedServer,
  wayTo,
} from '../test/support/faults.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { rounded } from './support/statistics.ts';

/** In place of 15 minutes, so that a silent server can be waited for. */
const SILENCE_MS = 1000;
const CLOSED_MS = 5000;
/** While nothing listens a start fails at once. */
const BETWEEN_STARTS_MS = 250;
const MOST_STARTS = 40;

/** From the request that met the fault to the next good answer, over a pause if it takes one. */
interface Recovery {
  readonly ms: number;
  readonly attempts: number;
  /** By hand, as a person would after a pause. */
  readonly resumes: number;
}

interface Setting {
  /** The preferred way first. */
  readonly ways: readonly Candidate[];
  readonly toolMode: 'auto' | 'json';
  /** Called once, when the plan stands. */
  readonly onPlan?: () => void;
}

async function recover({ ways, toolMode, onPlan }: Setting, workspace: string): Promise<Recovery> {
  const [first, ...fallbacks] = ways;
  if (!first) throw new Error('There is no way to a model.');
  let [askedAt, attempts] = [0, 0];
  let brokenAt: number | null = null;
  let backAt: number | null = null;
  const emit = (event: RunEvent): void => {
    if (event.type === 'turn_started') askedAt = performance.now();
    if (event.type !== 'record') return;
    if (event.record.type === 'plan_set') onPlan?.();
    if (event.record.type !== 'turn_finished') return;
    const isGood = event.record.status.kind === 'success';
    if (!isGood) brokenAt ??= askedAt;
    if (brokenAt === null || backAt !== null) return;
    attempts += 1;
    if (isGood) backAt = performance.now();
  };
  const start = (goal: string | null) =>
    runGoal({
      ...first,
      goal,
      workspace,
      fallbacks,
      toolMode,
      temperature: 0.2,
      seed: null,
      maxRounds: 24,
      allow: [],
      again: false,
      forceUnlock: false,
      version: '0',
      emit,
      signal: new AbortController().signal,
      machine: systemMachine({ env: {}, nodePath: process.execPath }),
      deadlines: { idleMs: SILENCE_MS },
    });
  const run = async (goal: string | null): Promise<RunResult['ending']> => {
    try {
      return (await start(goal)).ending;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await systemClock.sleep(BETWEEN_STARTS_MS);
      return 'paused';
    }
  };
  let starts = 1;
  let ending = await run('say hello');
  for (; backAt === null && ending === 'paused' && starts < MOST_STARTS; starts += 1) {
    ending = await run(null);
  }
  for (const { provider } of ways) await provider.close();
  if (brokenAt === null || backAt === null) throw new Error(`no recovery: ${ending}`);
  return { ms: backAt - brokenAt, attempts, resumes: starts - 1 };
}

async function overcome(fault: Fault, workspace: string): Promise<Figure> {
  const server = await faultyServer(fault);
  const ways = [wayTo(server, DEFAULT_PROFILE)];
  const toolMode = fault.toolMode === 'json' ? 'json' : 'auto';
  const recovery = await recover({ ways, toolMode }, workspace);
  await server.close();
  const note = fault.isSilent ? `, silence bounded to ${SILENCE_MS} ms` : '';
  return figureOf(fault.name, recovery, note);
}

async function overcomeClosedPort(workspace: string): Promise<Figure> {
  const server = await healthyServer();
  let back: Promise<FakeOllama> | null = null;
  const onPlan = (): void => {
    back = server
      .close()
      .then(() => systemClock.sleep(CLOSED_MS))
      .then(() => healthyServer(server.port));
  };
  const ways = [wayTo(server, DEFAULT_PROFILE)];
  const recovery = await recover({ ways, toolMode: 'json', onPlan }, workspace);
  await (await (back as Promise<FakeOllama> | null))?.close();
  return figureOf('port closed for 5 s', recovery);
}

async function overcomeExpiredKey(workspace: string): Promise<Figure> {
  const [locked, healthy] = [await lockedServer(), await healthyServer()];
  const ways = [wayTo(locked, 'KEY'), wayTo(healthy, 'KEY_2')];
  const recovery = await recover({ ways, toolMode: 'auto' }, workspace);
  await Promise.all([locked.close(), healthy.close()]);
  return figureOf('expired key, a second profile', recovery);
}

const figureOf = (name: string, { ms, attempts, resumes }: Recovery, note = ''): Figure => ({
  name: `recovery: ${name}`,
  value: rounded(ms, 0),
  unit: 'ms',
  bound: null,
  better: 'lower',
  detail: `${attempts} attempts${resumes > 0 ? `, ${resumes} × resumed` : ''}${note}`,
});

/** How long a run is held up by what goes wrong between it and its model; over real HTTP. */
export const faultRecovery: Measurement = {
  name: 'recovery from faults',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const fault of FAULTS) figures.push(await overcome(fault, lab.folder()));
    figures.push(await overcomeClosedPort(lab.folder()));
    figures.push(await overcomeExpiredKey(lab.folder()));
    return figures;
  },
};
