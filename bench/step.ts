import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Figure, type Lab, type Measurement, Skipped } from './measurement.ts';
import { timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 3;
const BOUND_MS = 40;

/** Opens the run, takes one step and closes it; says how long that took, from the loaded library on. */
const STEP = `
const { openRun, playedProvider } = await import(process.argv[1]);
const call = (name, args) => ({ calls: [{ name, args }] });
const tasks = [{ description: 'greet', subtasks: [{ do: 'write it', files: ['hello.txt'] }] }];
const replies = [
  call('set_plan', { tasks }),
  call('write_file', { path: 'hello.txt', content: 'hello\\n' }),
  call('mark_subtask_complete', { success: true, reason: 'written' }),
].slice(Number(process.argv[3]));
const played = playedProvider(replies);
let turns = 0;
const stream = (...asked) => {
  turns += 1;
  return played.stream(...asked);
};
const began = performance.now();
const goal = 'Write hello.txt with hello in it';
const provider = { ...played, stream };
const run = await openRun({ goal, workspace: process.argv[2], provider, model: 'played' });
const result = run.result ?? (await run.takeStep());
await run.close();
const ms = performance.now() - began;
console.log(JSON.stringify({ ms, turns, ends: result !== null }));
`;

interface Step {
  readonly ms: number;
  readonly turns: number;
  readonly ends: boolean;
}

async function takeStep(library: string, folder: string, turns: number): Promise<Step> {
  const args = ['--input-type=module', '-e', STEP, library, folder, String(turns)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((end) => child.once('close', end));
  if (code !== 0) throw new Error(`a step ended with ${code}`);
  return JSON.parse(said);
}

/** A whole run, of which every step is taken by a process of its own. */
async function stepsOf(library: string, folder: string): Promise<readonly Step[]> {
  const steps: Step[] = [];
  let turns = 0;
  for (;;) {
    const step = await takeStep(library, folder, turns);
    steps.push(step);
    turns += step.turns;
    if (step.ends) return steps;
  }
}

/** What a worker pays that keeps nothing between two steps. */
export const step: Measurement = {
  name: 'a step',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const file = resolve('dist', 'index.js');
    if (!existsSync(file)) throw new Skipped('dist/index.js is not built');
    const library = pathToFileURL(file).href;
    const bare: number[] = [];
    const loaded: number[] = [];
    const taken: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      for (let each = 0; each < 5; each += 1) {
        bare.push(await timeNode(['-e', '0']));
        loaded.push(await timeNode(['--input-type=module', '-e', `import '${library}'`]));
      }
      const steps = await stepsOf(library, join(lab.folder()));
      taken.push(...steps.map(({ ms }) => ms));
    }
    const [bareMs, loadedMs] = [median(bare), median(loaded)];
    return [
      {
        name: 'one step of a run in a fresh process, beyond its start',
        value: rounded(median(taken), 1),
        unit: 'ms',
        bound: BOUND_MS,
        better: 'lower',
        detail: `opened, taken, closed; median of ${taken.length} steps of ${RUNS} runs; node -e 0 takes ${rounded(bareMs, 1)} ms`,
      },
      {
        name: 'a process that has loaded the library / node -e 0',
        value: rounded(loadedMs / bareMs),
        unit: '×',
        bound: null,
        better: 'lower',
        detail: `${rounded(loadedMs, 1)} ms / ${rounded(bareMs, 1)} ms`,
      },
    ];
  },
};
