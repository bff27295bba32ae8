import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { rssMbOf, served } from './support/served.ts';
import { quantile, rounded } from './support/statistics.ts';
import { TICKING, tickingModel } from './support/ticking-model.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 100);
/** Of each turn, so that all are at work at once. */
const PIECES = 1200;
const GAP_MS = 500;
const PROBES = 200;
const PATIENCE_MS = 600_000;

/** Many runs at once, and how soon the server answers meanwhile: it answers as soon as its loop is free. */
export const serverRuns: Measurement = {
  name: 'runs of the server at once',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const model = await tickingModel(PIECES, GAP_MS);
    const server = await served(lab, { model: model.url, words: ['--max-runs', String(RUNS)] });
    const { client, root, pid } = server;
    try {
      const began = performance.now();
      for (let at = 0; at < RUNS; at += 1) {
        const workspace = join(root, `work-${at}`);
        mkdirSync(workspace);
        // Those that wait for their turn are at most 64.
        await client.startRun({ workspace, goal: 'Say the time', model: `ollama/${TICKING}` });
      }
      while ((await working(client)) < RUNS) {
        if (performance.now() - began > PATIENCE_MS) throw new Error('they do not all begin');
        await pause(100);
      }
      const startedMs = performance.now() - began;
      const stop = new AbortController();
      void follow(client, stop.signal);
      const delays: number[] = [];
      for (let at = 0; at < PROBES; at += 1) {
        const asked = performance.now();
        await (await fetch(`${client.url}/health`)).arrayBuffer();
        delays.push(performance.now() - asked);
        await pause(25);
      }
      stop.abort();
      const workers = server.runs();
      const rss = workers.reduce((sum, one) => sum + rssMbOf(one), 0);
      const detail = `${RUNS} runs at work, one page that follows all of them`;
      return [
        {
          ...{ name: 'until the last of them works', value: rounded(startedMs, 0) },
          ...{ unit: 'ms', bound: 10_000, better: 'lower', detail },
        },
        {
          ...{ name: 'for an answer of the server, the slowest hundredth' },
          ...{ value: rounded(quantile(delays, 0.99), 1), unit: 'ms', bound: 20 },
          ...{ better: 'lower', detail },
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

async function working(client: Awaited<ReturnType<typeof served>>['client']): Promise<number> {
  return (await client.me()).working;
}

async function follow(
  client: Awaited<ReturnType<typeof served>>['client'],
  signal: AbortSignal,
): Promise<void> {
  for await (const _event of client.events(signal)) if (signal.aborted) return;
}
