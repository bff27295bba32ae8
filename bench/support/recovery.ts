// How long a run is held up by a fault between it and its model; over real HTTP, with real waits.
import { type RunResult, runGoal } from '../../src/agent.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { Candidate } from '../../src/llm/failover/candidate.ts';
import { ProviderError } from '../../src/llm/provider.ts';
import { systemMachine } from '../../src/run/machine.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import type { Figure } from '../measurement.ts';
import { rounded } from './statistics.ts';

/** In place of 15 minutes, so that a silent server can be waited for. */
export const SILENCE_MS = 1000;
/** While nothing listens a start fails at once. */
const BETWEEN_STARTS_MS = 250;
const MAX_STARTS = 40;

/** From the request that met the fault to the next good answer, over a pause if it takes one. */
interface Recovery {
  readonly ms: number;
  readonly attempts: number;
  /** By hand, as a person would after a pause. */
  readonly resumes: number;
}

export interface Setting {
  /** The preferred way first. They are closed at the end. */
  readonly ways: readonly Candidate[];
  readonly toolMode: 'auto' | 'json';
  /** Called once, when the plan stands. */
  readonly onPlan?: () => void;
}

export async function recover(
  { ways, toolMode, onPlan }: Setting,
  workspace: string,
): Promise<Recovery> {
  const [first, ...fallbacks] = ways;
  if (!first) throw new Error('There is no way to a model.');
  const watch = watchTurns(onPlan);
  const run = async (goal: string | null): Promise<RunResult['ending']> => {
    try {
      const { emit } = watch;
      const result = await runGoal({
        ...first,
        ...OPTIONS,
        goal,
        workspace,
        fallbacks,
        toolMode,
        emit,
      });
      return result.ending;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      await systemClock.sleep(BETWEEN_STARTS_MS);
      return 'paused';
    }
  };
  let starts = 1;
  let ending = await run('say hello');
  for (; watch.recovery() === null && ending === 'paused' && starts < MAX_STARTS; starts += 1) {
    ending = await run(null);
  }
  for (const { provider } of ways) await provider.close();
  const recovery = watch.recovery();
  if (recovery === null) throw new Error(`no recovery: ${ending}`);
  return { ...recovery, resumes: starts - 1 };
}

const OPTIONS = {
  machine: systemMachine({ env: {}, nodePath: process.execPath }),
  deadlines: { idleMs: SILENCE_MS },
} as const;

function watchTurns(onPlan?: () => void) {
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
  const recovery = (): Omit<Recovery, 'resumes'> | null =>
    brokenAt === null || backAt === null ? null : { ms: backAt - brokenAt, attempts };
  return { emit, recovery };
}

export const figureOf = (name: string, { ms, attempts, resumes }: Recovery, note = ''): Figure => ({
  name: `recovery: ${name}`,
  value: rounded(ms, 0),
  unit: 'ms',
  bound: null,
  better: 'lower',
  detail: `${attempts} attempts${resumes > 0 ? `, ${resumes} × resumed` : ''}${note}`,
});
