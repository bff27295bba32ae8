import { existsSync } from 'node:fs';
import { systemClock } from '../src/lib/clock.ts';
import { operatingSystem } from '../src/processes/operating-system.ts';
import { runProcess } from '../src/processes/run.ts';
import { starterOf } from '../src/processes/starter.ts';
import { type Figure, type Lab, type Measurement, Skipped } from './measurement.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 100;
const BOUND_MS = 3;
const PROGRAM = '/bin/true';

/** What a command costs because it begins only once its start is recorded. */
export const safeStart: Measurement = {
  name: 'safe start',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const system = operatingSystem(process.platform);
    const starter = starterOf(system);
    if (starter === null || !existsSync(PROGRAM))
      throw new Skipped('there is no /bin/sh to wait in');
    const request = {
      ...{ file: PROGRAM, args: [], cwd: lab.folder(), env: {} },
      ...{ timeoutMs: 10_000, maxOutputBytes: 1_000 },
    };
    const hooks = { signal: new AbortController().signal, onSpawn: () => {}, onOutput: () => {} };
    const timed = async (way: typeof starter | null): Promise<number> => {
      const startedAt = performance.now();
      const { exitCode } = await runProcess(request, hooks, {
        ...{ platform: process.platform, clock: systemClock, starter: way },
        // What both ways do with the process table would only be noise here.
        ...{ startTime: () => null, killTree: async () => {} },
      });
      if (exitCode !== 0) throw new Error(`${PROGRAM} ended with ${exitCode}`);
      return performance.now() - startedAt;
    };
    const direct: number[] = [];
    const held: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const [directMs, heldMs] = [await timed(null), await timed(starter)];
      // The first pair warms the page cache.
      if (run === 0) continue;
      direct.push(directMs);
      held.push(heldMs);
    }
    const [directMs, heldMs] = [median(direct), median(held)];
    return [
      {
        name: 'a safe start, beyond a spawn',
        value: rounded(heldMs - directMs),
        unit: 'ms',
        bound: BOUND_MS,
        better: 'lower',
        detail: `${rounded(heldMs, 1)} ms / ${rounded(directMs, 1)} ms for ${PROGRAM}, medians of ${RUNS} in turns`,
      },
    ];
  },
};
