import { spawn } from 'node:child_process';
import { startFakeOllama } from '../test/support/fake-ollama.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { builtAgent, timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 15;
const BOUND = 2.5;

/** From the start of the process to its first model request, in an empty folder. */
async function timeToRequest(agent: string, folder: string): Promise<number> {
  const server = await startFakeOllama({ script: () => ({ content: '', delayHeadersMs: 60_000 }) });
  const args = [agent, 'Write a hello world script', '--workspace', folder, '--host', server.url];
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('close', () => reject(new Error(`agent asked nothing: ${complaint}`)));
  });
  try {
    await Promise.race([server.whenChat(1), ended]);
    return performance.now() - started;
  } finally {
    child.kill('SIGKILL');
    await ended.catch(() => undefined);
    await server.close();
  }
}

export const firstRequest: Measurement = {
  name: 'first model request',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const agent = builtAgent();
    const bare: number[] = [];
    const asked: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const bareMs = await timeNode(['-e', '0']);
      const askedMs = await timeToRequest(agent, lab.folder());
      if (run === 0) continue;
      bare.push(bareMs);
      asked.push(askedMs);
    }
    const [bareMs, askedMs] = [median(bare), median(asked)];
    return [
      {
        name: 'first model request / node -e 0',
        value: rounded(askedMs / bareMs),
        unit: '×',
        bound: BOUND,
        better: 'lower',
        detail: `${rounded(askedMs, 1)} ms / ${rounded(bareMs, 1)} ms, medians of ${RUNS}`,
      },
    ];
  },
};
