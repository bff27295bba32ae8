/** A sample of the kills around a spawn; `npm run crash` tries 500. */
import { expect, it } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { killedAroundSpawns } from '../support/spawn-run.ts';

const LIMIT_MS = 120_000;

it.runIf(process.platform === 'linux')(
  'a run killed at the spawn of a command leaves none working beside the next, and repeats none',
  async () => {
    const agent = pinAgent();
    try {
      const plans = [{ at: 'spawn', n: 1, afterMs: 0 } as const];
      const run = await killedAroundSpawns(agent, () => plans.shift() ?? null, 1);
      expect(run.violations).toEqual([]);
      expect(run.kills).toHaveLength(1);
      expect(run.kills[0]?.met).not.toBe('no command');
    } finally {
      agent.dispose();
    }
  },
  LIMIT_MS,
);
