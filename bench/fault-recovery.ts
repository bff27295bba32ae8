import { runGoal } from '../src/agent.ts';
import { DEFAULT_PROFILE } from '../src/llm/failover/candidate.ts';
import { systemMachine } from '../src/round/machine.ts';
import type { RunEvent } from '../src/schema/events.ts';
import { FAULTS, type Fault, faultyServer, wayTo } from '../test/support/faults.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { rounded } from './support/statistics.ts';

/** In place of 15 minutes, so that a silent server can be waited for. */
const SILENCE_MS = 1000;

/** From the request that met the fault to the next good answer, over a pause if it takes one. */
interface Recovery {
  readonly ms: number;
  readonly attempts: number;
  readonly pauses: number;
}

async function recover(fault: Fault, workspace: string): Promise<Recovery> {
  const server = await faultyServer(fault);
  const { provider, model } = wayTo(server, DEFAULT_PROFILE);
  let askedAt = 0;
  let brokenAt: number | null = null;
  let backAt: number | null = null;
  let attempts = 0;
  const emit = (event: RunEvent): void => {
    if (event.type === 'turn_started') askedAt = performance.now();
    if (event.type !== 'record' || event.record.type !== 'turn_finished') return;
    const isGood = event.record.status.kind === 'success';
    if (!isGood) brokenAt ??= askedAt;
    if (brokenAt === null || backAt !== null) return;
    attempts += 1;
    if (isGood) backAt = performance.now();
  };
  const run = (goal: string | null) =>
    runGoal({
      goal,
      workspace,
      provider,
      model,
      toolMode: fault.toolMode === 'json' ? 'json' : 'auto',
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
  try {
    let pauses = 0;
    let result = await run('say hello');
    while (backAt === null && result.ending === 'paused' && pauses < 3) {
      pauses += 1;
      result = await run(null);
    }
    if (brokenAt === null || backAt === null) {
      throw new Error(`${fault.name}: did not recover, ended as ${result.ending}`);
    }
    return { ms: backAt - brokenAt, attempts, pauses };
  } finally {
    await provider.close();
    await server.close();
  }
}

const figureOf = (fault: Fault, { ms, attempts, pauses }: Recovery): Figure => ({
  name: `recovery: ${fault.name}`,
  value: rounded(ms, 0),
  unit: 'ms',
  bound: null,
  better: 'lower',
  detail: `${attempts} attempts${pauses > 0 ? `, ${pauses} pause and resume` : ''}${fault.isSilent ? `, silence bounded to ${SILENCE_MS} ms` : ''}`,
});

/** How long a run is held up by what goes wrong between it and its model; over real HTTP. */
export const faultRecovery: Measurement = {
  name: 'recovery from faults',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const fault of FAULTS) {
      figures.push(figureOf(fault, await recover(fault, lab.folder())));
    }
    return figures;
  },
};
