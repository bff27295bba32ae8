import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Figure, type Lab, type Measurement, Skipped } from './measurement.ts';
import { ownFolders, timeNode } from './support/children.ts';
import { median, rounded } from './support/statistics.ts';

const RUNS = 3;
/**
 * What holds today, in starts of a bare Node. Of the first we want 40 ms: `docs/internals/performance.md` says
 * what stands in the way.
 */
const BOUND = 2.2;
const BOUND_KEPT = 1.7;
const BOUND_PROGRAM = 1;

/**
 * Loads the library, opens the run, takes one step and closes it. The last argument is a folder for V8's compiled
 * code, '' for none: Node keeps it from 22.8 on, where a program asks for it.
 */
const STEP = `
const [library, workspace, asked, cache] = process.argv.slice(1);
if (cache !== '') (await import('node:module')).enableCompileCache(cache);
const { openRun, playedProvider } = await import(library);
const call = (name, args) => ({ calls: [{ name, args }] });
const tasks = [{ description: 'greet', subtasks: [{ do: 'write it', files: ['hello.txt'] }] }];
const replies = [
  call('set_plan', { tasks }),
  call('write_file', { path: 'hello.txt', content: 'hello\\n' }),
  call('mark_subtask_complete', { success: true, reason: 'written' }),
].slice(Number(asked));
const played = playedProvider(replies);
let turns = 0;
const stream = (...asked) => {
  turns += 1;
  return played.stream(...asked);
};
const began = performance.now();
const goal = 'Write hello.txt with hello in it';
const run = await openRun({ goal, workspace, provider: { ...played, stream }, model: 'played' });
const result = run.result ?? (await run.takeStep());
await run.close();
const ms = performance.now() - began;
console.log(JSON.stringify({ ms, turns, ends: result !== null }));
`;

interface Step {
  /** From the loaded library on, as the process itself sees it. */
  readonly ms: number;
  readonly turns: number;
  readonly ends: boolean;
}

interface Taken extends Step {
  /** From its start to its end, as who started it sees it. */
  readonly wholeMs: number;
}

/** The arguments of Node, and its environment, for the step behind `turns` replies; `isFirst`: it may keep what it compiles. */
type Command = (
  folder: string,
  turns: number,
  isFirst: boolean,
) => { readonly args: readonly string[]; readonly env?: NodeJS.ProcessEnv };

async function takeStep({ args, env }: ReturnType<Command>): Promise<Taken> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  const code = await new Promise((end) => child.once('close', end));
  if (code !== 0) throw new Error(`a step ended with ${code}`);
  return { ...(JSON.parse(said) as Step), wholeMs: performance.now() - started };
}

/** A whole run, of which every step is taken by a process of its own; before each, a Node that does nothing. */
async function stepsOf(
  command: (turns: number) => ReturnType<Command>,
  bare: number[],
): Promise<readonly Taken[]> {
  const steps: Taken[] = [];
  let turns = 0;
  for (;;) {
    bare.push(await timeNode(['-e', '0']));
    const step = await takeStep(command(turns));
    steps.push(step);
    turns += step.turns;
    if (step.ends) return steps;
  }
}

async function figureOf(
  lab: Lab,
  command: Command,
  { name, bound }: Pick<Figure, 'name' | 'bound'>,
): Promise<Figure> {
  const bare: number[] = [];
  const taken: Taken[] = [];
  // The first run warms the page cache, and V8's where it is kept.
  for (let run = 0; run <= RUNS; run += 1) {
    const ofBare: number[] = [];
    const folder = lab.folder();
    const steps = await stepsOf((turns) => command(folder, turns, run === 0), ofBare);
    if (run === 0) continue;
    bare.push(...ofBare);
    taken.push(...steps);
  }
  const [bareMs, wholeMs] = [median(bare), median(taken.map((step) => step.wholeMs))];
  const loadedMs = median(taken.map(({ ms }) => ms));
  return {
    ...{ name, bound, value: rounded((wholeMs - bareMs) / bareMs), unit: '×', better: 'lower' },
    detail: `medians of ${taken.length} steps in turns with node -e 0: ${rounded(wholeMs, 1)} ms / ${rounded(bareMs, 1)} ms; ${rounded(loadedMs, 1)} ms from the loaded library on`,
  };
}

/** As a program that embeds us takes it. `cache`: a folder for compiled code, '' for none. */
const inLibrary =
  (library: string, cache: string): Command =>
  (folder, turns) => ({
    args: ['--input-type=module', '-e', STEP, library, folder, String(turns), cache],
  });

/** As a worker of our program takes it: all that the program holds, loaded with the program's cache. */
async function inProgram(lab: Lab): Promise<Command> {
  const { bundled, programOf } = (await import(
    pathToFileURL(resolve('scripts/lib/bundle.mjs')).href
  )) as Bundling;
  const { asAscii } = (await import(
    pathToFileURL(resolve('scripts/lib/ascii.mjs')).href
  )) as Bundling;
  const [home, cache] = [lab.folder(), lab.folder()];
  mkdirSync(join(home, 'program'));
  const { texts } = await programOf('bench/support/worker-program.ts');
  for (const [path, text] of texts) writeFileSync(join(home, path), asAscii(path, text));
  const main = join(home, 'worker.cjs');
  const entry = await bundled('bin', 'bench/support/worker.ts');
  writeFileSync(main, entry.texts.get('bin.cjs') ?? '');
  return (folder, turns, isFirst) => ({
    args: [main, folder, String(turns), isFirst ? '1' : '0'],
    env: ownFolders(cache),
  });
}

interface Bundle {
  readonly texts: ReadonlyMap<string, string>;
}

/** What the build offers. */
interface Bundling {
  bundled(name: string, file: string): Promise<Bundle>;
  programOf(file: string): Promise<Bundle>;
  asAscii(path: string, text: string): string;
}

/** What a process pays that keeps nothing between two steps: loading, opening, one step, closing. */
export const step: Measurement = {
  name: 'a step',
  async measure(lab: Lab): Promise<readonly Figure[]> {
    const file = resolve('dist', 'index.js');
    if (!existsSync(file)) throw new Skipped('dist/index.js is not built');
    const library = pathToFileURL(file).href;
    const name = 'one step of a run in a fresh process, beyond node -e 0 / node -e 0';
    const ofProgram = { name: `${name}: a worker of the program`, bound: BOUND_PROGRAM };
    const ofLibrary = { name: `${name}: the library`, bound: BOUND };
    const figures = [
      await figureOf(lab, await inProgram(lab), ofProgram),
      await figureOf(lab, inLibrary(library, ''), ofLibrary),
    ];
    if (!('enableCompileCache' in module)) return figures;
    const kept = { name: `${name}: the library, compiled code kept`, bound: BOUND_KEPT };
    return [
      ...figures,
      await figureOf(lab, inLibrary(library, join(lab.folder(), 'compiled')), kept),
    ];
  },
};
