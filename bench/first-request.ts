import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeOllama } from '../test/support/fake-ollama.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { builtAgent, ownFolders, timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 15;
const BOUND = 2.5;
/** With settings, instructions and a folder full of files. */
const BOUND_IN_PROJECT = 3;
const FILES = 10_000;
const FILES_OF_A_FOLDER = 500;

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
  const env = ownFolders(cache);
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

/** Each start gets its own, as a new one has nothing in undo yet. */
function projectOf(lab: Lab): string {
  const folder = lab.folder();
  writeFileSync(join(folder, '.tardigrade.json'), '{ "effort": "low" }\n');
  writeFileSync(join(folder, 'AGENTS.md'), '# Rules\n\nWrite short functions.\n');
  writeFileSync(join(folder, '.gitignore'), 'out/\n*.log\n');
  for (let file = 0; file < FILES; file += 1) {
    const below = join(folder, 'src', `part${Math.floor(file / FILES_OF_A_FOLDER)}`);
    if (file % FILES_OF_A_FOLDER === 0) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `file${file}.txt`), `${file}\n`);
  }
  return folder;
}

const figureOf = (where: string, askedMs: number, bareMs: number, bound: number): Figure => ({
  name: `first model request${where} / node -e 0`,
  value: rounded(askedMs / bareMs),
  unit: '×',
  bound,
  better: 'lower',
  detail: `${rounded(askedMs, 1)} ms / ${rounded(bareMs, 1)} ms, medians of ${RUNS}`,
});

export const firstRequest: Measurement = {
  name: 'first model request',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const agent = builtAgent();
    const cache = lab.folder();
    const bare: number[] = [];
    const asked: number[] = [];
    const inProject: number[] = [];
    for (let run = 0; run <= RUNS; run += 1) {
      const bareMs = await timeNode(['-e', '0']);
      // The first pair warms the page cache and V8's.
      const endsBy = run === 0 ? 'SIGINT' : 'SIGKILL';
      const askedMs = await timeToRequest(agent, { folder: lab.folder(), cache, endsBy });
      const folder = projectOf(lab);
      const inProjectMs = await timeToRequest(agent, { folder, cache, endsBy });
      if (run === 0) continue;
      bare.push(bareMs);
      asked.push(askedMs);
      inProject.push(inProjectMs);
    }
    const bareMs = median(bare);
    return [
      figureOf('', median(asked), bareMs, BOUND),
      figureOf(', in a project', median(inProject), bareMs, BOUND_IN_PROJECT),
    ];
  },
};
