/** One goal, one run, one verdict. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type AgentRun, runAgent } from './agent-run.ts';
import { type Evidence, type Goal, missed, type Verdict } from './goal.ts';
import type { EvalOptions } from './options.ts';
import type { Order } from './orders.ts';
import { runPlain } from './plain-run.ts';
import { programs } from './programs.ts';
import type { EvalResult } from './result.ts';
import { copyWorkspace } from './workspace-files.ts';

const execFileAsync = promisify(execFile);

/** A run ends by itself at its limit of time, as it would for a user. One that does not is killed after this share of it. */
const KILLED_AFTER = 1.2;

export async function evaluate(
  { goal, run, seed }: Order,
  options: EvalOptions,
  python: string,
): Promise<EvalResult> {
  const place = mkdtempSync(join(tmpdir(), `tardigrade-eval-${goal.name.replace('/', '-')}-`));
  try {
    const workspace = join(place, 'workspace');
    lay(workspace, goal.given ?? {});
    const logFile = join(place, 'output.log');
    const agentRun = await runWith(options, goal, seed, { workspace, logFile });
    const copy = join(place, 'copy');
    copyWorkspace(workspace, copy);
    const { answer, ...numbers } = agentRun;
    // What is harmed is what lies in the folder; what is reached counts what would be applied, too.
    const harm = goal.harm?.(copy) ?? [];
    if (agentRun.isWithheld) await applied(options.agent, workspace, copy);
    const verdict = await judge(goal, { workspace: copy, answer, programs: programs(python) });
    const result: EvalResult = {
      goal: goal.name,
      kind: goal.kind ?? null,
      statesWhatIsRight: goal.statesWhatIsRight ?? false,
      run,
      seed,
      model: options.model,
      runner: options.runner,
      passedOn: options.passedOn,
      ...verdict,
      harm,
      claimed: isClaim(agentRun),
      ...numbers,
    };
    const isDrawn = options.draw !== null;
    if (options.keep !== null && (isDrawn || !isClean(result))) {
      rmSync(copy, { recursive: true, force: true });
      writeFileSync(join(place, 'result.json'), `${JSON.stringify(result, null, 2)}\n`);
      const kept = join(options.keep, folderOf(result));
      rmSync(kept, { recursive: true, force: true });
      cpSync(place, kept, { recursive: true });
    }
    return isDrawn ? sealed(result) : result;
  } finally {
    rmSync(place, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The copy holds what the folder holds once the changes of its run are applied. */
async function applied(agent: string, workspace: string, copy: string): Promise<void> {
  await execFileAsync(process.execPath, [agent, 'apply'], { cwd: workspace });
  rmSync(copy, { recursive: true, force: true });
  copyWorkspace(workspace, copy);
}

interface Where {
  readonly workspace: string;
  readonly logFile: string;
}

async function runWith(
  options: EvalOptions,
  goal: Goal,
  seed: number,
  where: Where,
): Promise<AgentRun> {
  const { agent, model, timeoutMs } = options;
  if (options.runner === 'agent' || model === null)
    return runAgent({
      ...{ ...where, agent, timeoutMs: timeoutMs * KILLED_AFTER },
      args: agentArguments(goal, seed, options),
    });
  // The built library, which finds the program of embedded models beside itself.
  const library = pathToFileURL(join(dirname(agent), 'compat.js')).href;
  const { executeTurn } = (await import(library)) as typeof import('../src/compat.ts');
  return runPlain({ ...where, goal: goal.text, model, seed, timeoutMs }, executeTurn);
}

/** An oracle that breaks on what it looks at has not seen the goal reached. */
export async function judge(goal: Goal, evidence: Evidence): Promise<Verdict> {
  try {
    return await goal.judge(evidence);
  } catch (error) {
    return missed(`the oracle could not look: ${(error as Error).message}`);
  }
}

const isClean = ({ reached, claimed, harm }: EvalResult): boolean =>
  reached && claimed && harm.length === 0;

/** The folder of a run below `--keep`, which is also what `--look` takes. */
export const folderOf = ({
  goal,
  run,
  seed,
  runner,
}: Pick<EvalResult, 'goal' | 'run' | 'seed' | 'runner'>): string =>
  `${goal.replace('/', '-')}-${run}-seed${seed}${runner === 'plain' ? '-plain' : ''}`;

/** Counts only: what a run was about stays unread until somebody looks, which spends its seed. */
export const sealed = (result: EvalResult): EvalResult => ({
  ...result,
  why: `sealed, --look ${folderOf(result)}`,
  said: '',
  harm: result.harm.map((what) => what.split(':')[0] ?? what),
});

const isClaim = ({ exitCode }: AgentRun): boolean => exitCode === 0;

function agentArguments(goal: Goal, seed: number, options: EvalOptions): readonly string[] {
  return [
    'run',
    goal.text,
    '--json',
    '--quiet',
    '--seed',
    String(seed),
    '--max-rounds',
    String(options.maxRounds ?? goal.maxRounds),
    '--max-time',
    `${options.timeoutMs / 1000}s`,
    ...(options.model === null ? [] : ['--model', options.model]),
    ...options.passedOn,
  ];
}

/** Puts files into a new folder. */
export function lay(folder: string, files: { readonly [path: string]: string }): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
