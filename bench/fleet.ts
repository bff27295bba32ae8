/** What a slice costs beyond the run's own time, how soon a run goes on where its worker dies, and many runs at once; on a real server of Restate. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { execa } from 'execa';
import { journalPath } from '../src/cli/journal-tail.ts';
import { systemClock } from '../src/lib/clock.ts';
import { judged } from '../test/crash/fleet.ts';
import { FleetLab, runsAll, WHY_NO_FLEET, type WorkerProcess } from '../test/support/fleet-lab.ts';
import { called, MODEL } from '../test/support/server-lab.ts';
import { type Figure, type Measurement, Skipped } from './measurement.ts';
import { median, quantile, rounded } from './support/statistics.ts';

const BIN = resolve('dist/bin.cjs');
const FILES = 30;
const PAIRS = 5;
const BOUND_SLICE_MS = 5;
const LOOK_MS = 50;
const KILLS = 12;
const BOUND_TAKEOVER_MS = 3000;
const HANGS = 3;
const BOUND_HANG_MS = 20_000;
const RUNS = Number(process.env.FLEET_BENCH_RUNS ?? 1000);
const WORKERS = 4;
const AT_ONCE = 50;
const SAY_MS = 15_000;
const CANCELS = 5;
const BOUND_CANCEL_MS = 1000;

interface Line {
  readonly type: string;
  readonly status?: unknown;
  readonly ts: number;
}

/** Those that are whole. */
function linesOf(folder: string): readonly Line[] {
  const path = journalPath(folder);
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

/** From the first record to the last. */
function spanOf(lines: readonly Line[]): number {
  return (lines.at(-1)?.ts ?? 0) - (lines[0]?.ts ?? 0);
}

/** To ask the engine where it stands would be work of the engine. */
async function atItsEnd(folder: string): Promise<readonly Line[]> {
  for (;;) {
    await systemClock.sleep(LOOK_MS);
    const lines = linesOf(folder);
    if (countOf(lines, 'run_finished') > 0) return lines;
  }
}

const countOf = (lines: readonly Line[], ...types: readonly string[]): number =>
  lines.filter(({ type }) => types.includes(type)).length;

/** Writes a file a turn. */
const writesFiles: typeof runsAll =
  () =>
  ({ messages }) => {
    const told = messages.filter(({ role }) => role === 'tool').length;
    const subtasks = [{ do: 'write them', files: ['f1.txt'] }];
    if (told === 0) return called('set_plan', { tasks: [{ description: 'write', subtasks }] });
    if (told > FILES) return called('mark_subtask_complete', { success: true });
    return called('write_file', { path: `f${told}.txt`, content: `${told}\n` });
  };

/** The same run alone and in a fleet, in turn. */
async function sliceCost(): Promise<Figure> {
  const lab = await FleetLab.open(BIN, (request) => writesFiles([])(request as never));
  try {
    await lab.startWorkers(1);
    const goal = 'write some files';
    const extra: number[] = [];
    const alone: number[] = [];
    for (let pair = 0; pair <= PAIRS; pair += 1) {
      const own = lab.folder(2 * pair);
      const words = ['run', goal, '--yes', '--model', `ollama/${MODEL}`, '--quiet'];
      await execa(process.execPath, [BIN, ...words], {
        ...{ cwd: own, env: lab.environment, extendEnv: false, reject: false },
      });
      const shared = lab.folder(2 * pair + 1);
      await lab.submit(2 * pair + 1, shared, goal);
      const lines = await atItsEnd(shared);
      const slices = countOf(lines, 'turn_finished', 'action_finished');
      // The first pair warms both up.
      if (pair === 0) continue;
      alone.push(spanOf(linesOf(own)) / slices);
      extra.push((spanOf(lines) - spanOf(linesOf(own))) / slices);
    }
    return {
      name: 'a turn or an action in a fleet, beyond its time alone',
      ...{ value: rounded(median(extra)), unit: 'ms', bound: BOUND_SLICE_MS, better: 'lower' },
      detail: `alone ${rounded(median(alone))} ms a slice; each pair: ${extra.map((ms) => rounded(ms)).join(', ')}`,
    };
  } finally {
    await lab.close();
  }
}

/** Of a run whose worker is killed in the middle of a command, until another worker has it. */
async function takeover(): Promise<readonly Figure[]> {
  const took = await takeovers(KILLS, (_, holder) => holder.kill());
  const detail = `${KILLS} kills: ${took.map((ms) => rounded(ms, 0)).join(', ')}`;
  const at = { unit: 'ms', better: 'lower', detail } as const;
  return [
    { name: 'takeover, median', value: rounded(median(took), 0), bound: null, ...at },
    {
      name: 'takeover, 99 %',
      value: rounded(quantile(took, 0.99), 0),
      bound: BOUND_TAKEOVER_MS,
      ...at,
    },
  ];
}

/** The same for a machine that hangs: nobody sees that it is dead, so its lease must be over first. */
async function takeoverOfHung(): Promise<Figure> {
  const took = await takeovers(HANGS, (lab, holder) => lab.hang(holder));
  return {
    name: 'takeover from a machine that hangs, at most',
    ...{ value: rounded(Math.max(...took), 0), unit: 'ms', bound: BOUND_HANG_MS, better: 'lower' },
    detail: took.map((ms) => rounded(ms, 0)).join(', '),
  };
}

async function takeovers(
  count: number,
  lose: (lab: FleetLab, holder: WorkerProcess) => void,
): Promise<readonly number[]> {
  const labels = Array.from({ length: 40 }, (_, n) => `${n}.`);
  const lab = await FleetLab.open(BIN, (request) => runsAll(labels)(request as never));
  try {
    await lab.startWorkers(2);
    const folder = lab.folder(1, 700);
    await lab.submit(1, folder);
    const took: number[] = [];
    while (took.length < count) {
      await lab.startWorkers(Math.max(0, 2 - lab.workers.length));
      await underWay(folder);
      const before = countOf(linesOf(folder), 'lease_taken');
      const lostAt = Date.now();
      const holder = lab.holderOf(folder);
      if (holder === null) continue;
      lose(lab, holder);
      while (countOf(linesOf(folder), 'lease_taken') === before) await systemClock.sleep(LOOK_MS);
      const taken = linesOf(folder).findLast(({ type }) => type === 'lease_taken');
      took.push((taken?.ts ?? 0) - lostAt);
      holder.killAll('SIGKILL');
      await holder.gone;
    }
    return took;
  } finally {
    await lab.close();
  }
}

/** A command has begun, and its end is not there yet. */
async function underWay(folder: string): Promise<void> {
  for (;;) {
    const lines = linesOf(folder);
    if (lines.at(-1)?.type === 'action_started') return;
    if (lines.at(-1)?.type === 'run_finished') throw new Error('the run came to its end');
    await systemClock.sleep(LOOK_MS);
  }
}

/** From the word of a person until the command has ended and the pause is in the journal. */
async function cancelling(): Promise<Figure> {
  const lab = await FleetLab.open(BIN, (request) => runsAll(['a'])(request as never));
  try {
    await lab.startWorkers(2);
    const took: number[] = [];
    for (let run = 1; run <= CANCELS; run += 1) {
      const folder = lab.folder(run, 60_000);
      const name = await lab.submit(run, folder);
      await underWay(folder);
      const began = Date.now();
      await lab.engine.cancel(name);
      while (linesOf(folder).at(-1)?.type !== 'run_paused') await systemClock.sleep(5);
      took.push(Date.now() - began);
    }
    return {
      name: 'a cancelled run has paused, at most',
      ...{ value: Math.max(...took), unit: 'ms', bound: BOUND_CANCEL_MS, better: 'lower' },
      detail: took.join(', '),
    };
  } finally {
    await lab.close();
  }
}

async function manyRuns(): Promise<readonly Figure[]> {
  const labels = ['a', 'b', 'c'];
  const lab = await FleetLab.open(BIN, (request) => runsAll(labels)(request as never), [
    '--max-runs',
    String(AT_ONCE),
  ]);
  try {
    await lab.startWorkers(WORKERS);
    const began = Date.now();
    const names: string[] = [];
    for (let run = 0; run < RUNS; run += 1) names.push(await lab.submit(run, lab.folder(run, 50)));
    let saidAt = began;
    await lab.ended(names, 60 * 60_000, () => {
      if (Date.now() - saidAt < SAY_MS) return;
      saidAt = Date.now();
      const seconds = Math.round((saidAt - began) / 1000);
      const done = lab.witnessed().filter(([, , word]) => word === 'ends').length;
      process.stderr.write(`  ${seconds} s: ${done} of ${RUNS * labels.length} commands done\n`);
    });
    const ms = Date.now() - began;
    const begun = lab.witnessed().filter(([, , word]) => word === 'begins').length;
    const wrong = judged(lab, names, labels).length;
    // A worker that is silent under load loses a slice; its command is told as unknown and never begun again.
    const unknown = names.filter((_, run) =>
      linesOf(join(lab.runs, `r${run}`)).some(({ status }) => status === 'interrupted'),
    ).length;
    const cut = `${begun} commands; ${unknown} runs were told that they do not know how one ended`;
    const detail = `${RUNS} runs on ${WORKERS} workers, ${readdirSync(lab.runs).length} folders, ${cut}`;
    return [
      {
        name: 'many runs at once, a run',
        ...{ value: rounded(ms / RUNS, 0), unit: 'ms', bound: null, better: 'lower', detail },
      },
      {
        name: 'many runs at once, commands begun twice or beside each other',
        ...{ value: wrong, unit: 'calls', bound: 0, better: 'lower', detail },
      },
    ];
  } finally {
    await lab.close();
  }
}

export const fleet: Measurement = {
  name: 'a fleet',
  async measure() {
    if (WHY_NO_FLEET !== '') throw new Skipped(WHY_NO_FLEET);
    const wanted = process.env.FLEET_BENCH ?? 'slice takeover hang cancel many';
    return [
      ...(wanted.includes('slice') ? [await sliceCost()] : []),
      ...(wanted.includes('takeover') ? await takeover() : []),
      ...(wanted.includes('hang') ? [await takeoverOfHung()] : []),
      ...(wanted.includes('cancel') ? [await cancelling()] : []),
      ...(wanted.includes('many') ? await manyRuns() : []),
    ];
  },
};
