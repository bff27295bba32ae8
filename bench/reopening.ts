import { rmSync } from 'node:fs';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { timeNode } from './support/children.ts';
import { reopen } from './support/long-run.ts';
import { rounded } from './support/statistics.ts';

const RUNS = 5;
const BOUND_MS = 200;
/** Two seconds where a bare Node takes 75 ms. */
const BOUND_ALONE = 26;

/** Opening the long run again after a kill: the slowest of a few, and without its snapshot. */
export const reopening: Measurement = {
  name: 'reopening',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const run = lab.longRun();
    const tries = Array.from({ length: RUNS }, () => reopen(run));
    const wrong = tries.find(({ actions }) => actions !== run.actions);
    if (wrong) throw new Error(`${wrong.actions} actions came back of ${run.actions}`);
    rmSync(run.layout.state);
    const alone: number[] = [];
    const bare: number[] = [];
    for (let start = 0; start < RUNS; start += 1) {
      bare.push(await timeNode(['-e', '0']));
      alone.push(reopen(run).ms);
    }
    // Other work on the machine slows seconds of work more than a short start, so the least of each counts.
    const [aloneMs, bareMs] = [Math.min(...alone), Math.min(...bare)];
    const size = `${rounded(run.journalBytes / 1e6, 1)} MB, ${run.records} records`;
    return [
      {
        name: `reopening a run of ${run.actions} actions`,
        value: rounded(Math.max(...tries.map(({ ms }) => ms)), 1),
        unit: 'ms',
        bound: BOUND_MS,
        better: 'lower',
        detail: `slowest of ${RUNS}, every byte compared; journal ${size}`,
      },
      {
        name: 'the same from the journal alone / node -e 0',
        value: rounded(aloneMs / bareMs, 1),
        unit: '×',
        bound: BOUND_ALONE,
        better: 'lower',
        detail: `when state.json is lost; least of ${RUNS} in turns: ${rounded(aloneMs, 1)} ms / ${rounded(bareMs, 1)} ms`,
      },
    ];
  },
};
