import { startFakeOllama } from '../test/support/fake-ollama.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { builtAgent, ownFolders, startNode, timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 15;
const BOUND = 3;

/** From the start of the process to the first of an answer, by a server that answers at once. */
async function timeToToken(agent: string, folder: string, cache: string): Promise<number> {
  const server = await startFakeOllama({ script: () => ({ content: 'Hello.' }) });
  const args = [agent, '--exec', 'Say hello', '--workspace', folder, '--host', server.url];
  const child = startNode(args, ownFolders(cache));
  try {
    const at = await child.firstOutput;
    await child.ended;
    return at - child.started;
  } finally {
    await server.close();
  }
}

/** `agent --exec` against a Node that does nothing, taken in turns. */
export const firstToken: Measurement = {
  name: 'first token of a conversation',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const agent = builtAgent();
    const cache = lab.folder();
    const bare: number[] = [];
    const token: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const bareMs = await timeNode(['-e', '0']);
      const tokenMs = await timeToToken(agent, lab.folder(), cache);
      // The first pair warms the page cache and V8's.
      if (run === 0) continue;
      bare.push(bareMs);
      token.push(tokenMs);
    }
    const [bareMs, tokenMs] = [median(bare), median(token)];
    return [
      {
        name: 'first token of a conversation / node -e 0',
        value: rounded(tokenMs / bareMs),
        unit: '×',
        bound: BOUND,
        better: 'lower',
        detail: `${rounded(tokenMs, 1)} ms / ${rounded(bareMs, 1)} ms, medians of ${RUNS}`,
      },
    ];
  },
};
