import type { Figure, Lab, Measurement } from './measurement.ts';
import { builtAgent, ownFolders, startNode, timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 15;
const BOUND = 2.5;

/** From the start of the process to the link; a server that ends properly keeps its compiled code. */
async function timeToLink(
  agent: string,
  root: string,
  { cache, endsBy }: { readonly cache: string; readonly endsBy: NodeJS.Signals },
): Promise<number> {
  const args = [agent, 'serve', '--port', '0', '--root', root];
  const child = startNode(args, ownFolders(cache));
  const at = await child.firstOutput;
  child.end(endsBy);
  await child.ended;
  return at - child.started;
}

/** `agent serve` against a Node that does nothing, taken in turns. */
export const serveStart: Measurement = {
  name: 'start of the server',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const agent = builtAgent();
    const [cache, root] = [lab.folder(), lab.folder()];
    const bare: number[] = [];
    const link: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const bareMs = await timeNode(['-e', '0']);
      // The first pair warms the page cache and V8's.
      const endsBy = run === 0 ? 'SIGINT' : 'SIGKILL';
      const linkMs = await timeToLink(agent, root, { cache, endsBy });
      if (run === 0) continue;
      bare.push(bareMs);
      link.push(linkMs);
    }
    const [bareMs, linkMs] = [median(bare), median(link)];
    return [
      {
        name: 'agent serve, to its link / node -e 0',
        value: rounded(linkMs / bareMs),
        unit: '×',
        bound: BOUND,
        better: 'lower',
        detail: `${rounded(linkMs, 1)} ms / ${rounded(bareMs, 1)} ms, medians of ${RUNS}`,
      },
    ];
  },
};
