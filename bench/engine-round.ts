import type { Figure, Lab, Measurement } from './measurement.ts';
import { engineRun } from './support/engine-run.ts';
import { median, rounded } from './support/statistics.ts';

/** The first run, in which the code is still being compiled, does not count. */
const RUNS = 5;
const FILES = 40;
const WINDOW_TOKENS = 32_768;
const BOUND_MS = 5;
const BOUND_SYNC_CALLS = 12;

/** What a round costs beside the model and the tools' programs. */
export const engineRound: Measurement = {
  name: 'engine per round',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const toolMode of ['native', 'json'] as const) {
      const engineMs: number[] = [];
      const syncCalls: number[] = [];
      let rounds = 0;
      for (let run = 0; run <= RUNS; run += 1) {
        const workspace = lab.folder();
        const taken = await engineRun({
          workspace,
          toolMode,
          files: FILES,
          contextWindow: WINDOW_TOKENS,
        });
        rounds = taken.rounds;
        if (run === 0) continue;
        engineMs.push((taken.elapsedMs - taken.meter.syncMs) / rounds);
        syncCalls.push(taken.meter.syncCalls / rounds);
      }
      const detail = `whole runs of ${rounds} rounds, median of ${RUNS} after a first one`;
      figures.push(
        {
          name: `engine time a round without syncs, ${toolMode}`,
          value: rounded(median(engineMs)),
          unit: 'ms',
          bound: BOUND_MS,
          better: 'lower',
          detail,
        },
        {
          name: `sync calls a round, ${toolMode}`,
          value: rounded(median(syncCalls), 1),
          unit: 'calls',
          bound: BOUND_SYNC_CALLS,
          better: 'lower',
          detail,
        },
      );
    }
    return figures;
  },
};
