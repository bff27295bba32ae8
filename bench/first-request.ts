import { spawn } from 'node:child_process';
import { startFakeOllama } from '../test/support/fake-ollama.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { builtAgent, timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 15;
const BOUND = 2.5;

/**
 * From the start of the process to its first model request, in an empty folder. `cache` is where
 * compiled code is kept; a run that ends properly keeps it, a killed one does not.
 */
async function timeToRequest(
  agent: string,
  { folder, cache, endsBy }: { folder: string; cache: string; endsBy: NodeJS.Signals },
): Promise<number> {
  const server = await startFakeOllama({ script: () => ({ content: '', delayHeadersMs: 60_000 }) });
  const args = [agent, 'Write a hello world script', '--workspace', folder, '--host', server.url];
  const started = performance.now();
  const env = { ...process.env, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache };
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
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
    child.kill(endsBy);
    await ended.catch(() => undefined);
    await server.close();
  }
}

export const firstRequest: Measurement = {
  name: 'first model request',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const agent = builtAgent();
    const cache = lab.folder();
    const bare: number[] = [];
    const asked: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const bareMs = await timeNode(['-e', '0']);
      // The first pair warms the page cache and V8's.
      const endsBy = run === 0 ? 'SIGINT' : 'SIGKILL';
      const askedMs = await timeToRequest(agent, { folder: lab.folder(), cache, endsBy });
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
