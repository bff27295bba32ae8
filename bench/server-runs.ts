import { mkdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../src/server/client/client.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { timeNode } from './support/children.ts';
import { rssMbOf, served } from './support/served.ts';
import { median, rounded } from './support/statistics.ts';
import { TICKING, tickingModel } from './support/ticking-model.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 100);
/** Of each turn, so that all are at work at once. */
const PIECES = 1200;
const GAP_MS = 500;
const FOLLOWED_MS = 6000;
/** 10 s for 100 runs on two processors where Node starts in 25 ms. */
const BOUND = 4 * RUNS;
const PATIENCE_MS = 600_000;

/** Many runs at once, and whether the server's loop is free meanwhile. */
export const serverRuns: Measurement = {
  name: 'runs of the server at once',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const bare: number[] = [];
    for (let at = 0; at < 9; at += 1) bare.push(await timeNode(['-e', '0']));
    const bareMs = median(bare);
    const model = await tickingModel(PIECES, GAP_MS);
    const server = await served(lab, { model: model.url, words: ['--max-runs', String(RUNS)] });
    const { client, root, pid } = server;
    try {
      const start = (folder: string) => {
        const workspace = join(root, folder);
        mkdirSync(workspace);
        return client.startRun({ workspace, goal: 'Say the time', model: `ollama/${TICKING}` });
      };
      // A run that has ended leaves compiled code behind, as it does on a machine in use.
      const { id } = await start('work-before');
      await untilWorking(client, 1);
      await client.run(id).cancel();
      await untilWorking(client, 0);
      const began = performance.now();
      // Those that wait for their turn are at most 64.
      for (let at = 0; at < RUNS; at += 1) await start(`work-${at}`);
      await untilWorking(client, RUNS);
      const startedMs = performance.now() - began;
      const stop = new AbortController();
      void follow(client, stop.signal);
      await server.loopDelay();
      await pause(FOLLOWED_MS);
      const lateMs = await server.loopDelay();
      stop.abort();
      const workers = server.runs();
      const rss = workers.reduce((sum, one) => sum + rssMbOf(one), 0);
      const detail = `${RUNS} runs at work, one page that follows all of them`;
      return [
        {
          ...{ name: 'until the last of them works / node -e 0' },
          ...{ value: rounded(startedMs / bareMs, 0), unit: '×', bound: BOUND, better: 'lower' },
          detail: `${rounded(startedMs, 0)} ms / ${rounded(bareMs, 1)} ms, ${cpus().length} processors`,
        },
        {
          ...{ name: 'the loop of the server is late, the slowest hundredth' },
          ...{ value: rounded(lateMs, 1), unit: 'ms', bound: 20, better: 'lower', detail },
        },
        {
          ...{ name: 'resident memory of the runs together', value: rounded(rss, 0) },
          ...{ unit: 'MB', bound: null, better: 'lower', detail: `${workers.length} processes` },
        },
        {
          ...{ name: 'resident memory of their server', value: rounded(rssMbOf(pid), 1) },
          ...{ unit: 'MB', bound: null, better: 'lower', detail },
        },
      ];
    } finally {
      await server.end();
      await model.close();
    }
  },
};

async function untilWorking(client: Client, runs: number): Promise<void> {
  const began = performance.now();
  while ((await client.me()).working !== runs) {
    if (performance.now() - began > PATIENCE_MS) throw new Error(`${runs} runs never work at once`);
    await pause(100);
  }
}

async function follow(client: Client, signal: AbortSignal): Promise<void> {
  for await (const _event of client.events(signal)) if (signal.aborted) return;
}
