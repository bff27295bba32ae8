import type { Figure, Measurement } from './measurement.ts';
import { builtAgent, timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 25;
const BOUND = 1.5;

/** `agent --version` against a Node that does nothing, taken in turns. */
export const coldStart: Measurement = {
  name: 'cold start',
  async measure(): Promise<readonly Figure[]> {
    const agent = builtAgent();
    const bare: number[] = [];
    const version: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const [bareMs, versionMs] = [
        await timeNode(['-e', '0']),
        await timeNode([agent, '--version']),
      ];
      // The first pair warms the page cache.
      if (run === 0) continue;
      bare.push(bareMs);
      version.push(versionMs);
    }
    const [bareMs, versionMs] = [median(bare), median(version)];
    return [
      {
        name: 'agent --version / node -e 0',
        value: rounded(versionMs / bareMs),
        unit: '×',
        bound: BOUND,
        better: 'lower',
        detail: `${rounded(versionMs, 1)} ms / ${rounded(bareMs, 1)} ms, medians of ${RUNS}`,
      },
    ];
  },
};
