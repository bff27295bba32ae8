import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFakeOllama } from '../test/support/fake-ollama.ts';
import type { Figure, Lab, Measurement } from './measurement.ts';
import { builtAgent } from './support/children.ts';
import { MODEL, scriptedAnswer } from './support/scripted-model.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 3;
const FILES = 8;
const BOUND_MB = 50;

/** Peak resident memory, in MB, of `node args…` run to its end. */
async function peakOf(args: readonly string[], file: string): Promise<number> {
  const report = `import { writeFileSync } from 'node:fs';
    process.on('exit', () =>
      writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`;
  const preload = `data:text/javascript,${encodeURIComponent(report)}`;
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const code = await new Promise((end) => child.once('close', end));
  if (code !== 0 && code !== 9)
    throw new Error(`${args.join(' ')} ended with ${code}: ${complaint}`);
  return Number(readFileSync(file, 'utf8')) / 1024;
}

export const memory: Measurement = {
  name: 'memory',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const agent = builtAgent();
    const report = join(lab.folder(), 'rss');
    const bare: number[] = [];
    const working: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      bare.push(await peakOf(['-e', '0'], report));
      const server = await startFakeOllama({
        models: [{ name: MODEL }],
        script: (request) => {
          const { text, call } = scriptedAnswer(
            { ...request, hasTools: request.tools !== undefined, schema: request.format },
            FILES,
          );
          const toolCalls = call ? [{ name: call.name, arguments: call.args }] : [];
          return { content: text, ...(call ? { toolCalls } : {}) };
        },
      });
      const goal = [agent, `Write ${FILES} pages of notes`, '--max-rounds', '100'];
      const place = ['--workspace', lab.folder(), '--host', server.url, '--model', MODEL];
      try {
        working.push(await peakOf([...goal, ...place], report));
      } finally {
        await server.close();
      }
    }
    const [bareMb, workingMb] = [median(bare), median(working)];
    return [
      {
        name: 'peak memory of a run, beyond bare Node',
        value: rounded(workingMb - bareMb, 1),
        unit: 'MB',
        bound: BOUND_MB,
        better: 'lower',
        detail: `${rounded(workingMb, 1)} MB - ${rounded(bareMb, 1)} MB, medians of ${RUNS}, ${FILES} files written`,
      },
    ];
  },
};
