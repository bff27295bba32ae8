/** A sample of the kills around a spawn; `npm run crash` tries 500. */
import { expect, it } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { type Kill, killedAroundSpawns } from '../support/spawn-run.ts';

const LIMIT_MS = 120_000;
/** On a busy machine the watcher can sleep through the whole life of a command: that run shows nothing. */
const MAX_RUNS = 10;

it.runIf(process.platform === 'linux')(
  'a run killed at the spawn of a command leaves none working beside the next, and repeats none',
  async () => {
    const agent = pinAgent();
    try {
      const kills: Kill[] = [];
      for (let runs = 0; runs < MAX_RUNS && kills.length === 0; runs += 1) {
        const plans = [{ at: 'spawn', n: 1, afterMs: 0 } as const];
        const run = await killedAroundSpawns(agent, () => plans.shift() ?? null, 1);
        expect(run.violations).toEqual([]);
        kills.push(...run.kills.filter(({ met }) => met !== 'no command'));
      }
      expect(kills).toHaveLength(1);
    } finally {
      agent.dispose();
    }
  },
  LIMIT_MS,
);
