// npm run bench -- [--json] [--only NAME] [--actions N]: speed against the bounds we hold ourselves to.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { coldStart } from './cold-start.ts';
import { engineRound } from './engine-round.ts';
import { faultRecovery } from './fault-recovery.ts';
import { firstRequest } from './first-request.ts';
import { firstToken } from './first-token.ts';
import { fleet } from './fleet.ts';
import { type Figure, type Lab, type Measurement, passes, Skipped } from './measurement.ts';
import { memory } from './memory.ts';
import { page } from './page.ts';
import { parallel } from './parallel.ts';
import { persistence } from './persistence.ts';
import { prefixReuse } from './prefix-reuse.ts';
import { reopening } from './reopening.ts';
import { runInATest } from './run-in-a-test.ts';
import { safeStart } from './safe-start.ts';
import { screen } from './screen.ts';
import { serveStart } from './serve-start.ts';
import { serverRuns } from './server-runs.ts';
import { clientsOfARun, servedJournal } from './server-streams.ts';
import { sessionReopening } from './session-reopening.ts';
import { step } from './step.ts';
import { journalLongRun, type LongRun } from './support/long-run.ts';

const MEASUREMENTS: readonly Measurement[] = [
  coldStart,
  firstRequest,
  firstToken,
  serveStart,
  engineRound,
  runInATest,
  prefixReuse,
  memory,
  safeStart,
  screen,
  persistence,
  reopening,
  sessionReopening,
  step,
  parallel,
  faultRecovery,
  clientsOfARun,
  servedJournal,
  serverRuns,
  page,
  fleet,
];

// A bare Node reads the file at each start, which can take longer than the rest of the start and flatters every ratio.
delete process.env.NODE_EXTRA_CA_CERTS;

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    actions: { type: 'string', default: '20000' },
  },
});

interface Taken {
  readonly measurement: string;
  readonly figures: readonly Figure[];
  /** '' where it was taken. */
  readonly skipped: string;
}

function openLab(actions: number): Lab & { close(): void } {
  const root = mkdtempSync(join(tmpdir(), 'tardigrade-bench-'));
  let longRun: LongRun | null = null;
  const folder = () => mkdtempSync(join(root, 'run-'));
  return {
    folder,
    actions,
    longRun() {
      longRun ??= journalLongRun(folder(), actions);
      return longRun;
    },
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

async function take(measurement: Measurement, lab: Lab): Promise<Taken> {
  try {
    const figures = await measurement.measure(lab);
    return { measurement: measurement.name, figures, skipped: '' };
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    return { measurement: measurement.name, figures: [], skipped: error.message };
  }
}

function linesOf({ measurement, figures, skipped }: Taken): string[] {
  if (skipped !== '') return [`SKIP  ${measurement}: ${skipped}`];
  return figures.map((figure) => {
    const verdict = figure.bound === null ? 'info' : passes(figure) ? 'pass' : 'FAIL';
    const sign = figure.better === 'lower' ? '<=' : '>=';
    const bound = figure.bound === null ? '' : ` (${sign} ${figure.bound} ${figure.unit})`;
    return `${verdict}  ${figure.name}: ${figure.value} ${figure.unit}${bound}  [${figure.detail}]`;
  });
}

async function main(): Promise<number> {
  const chosen = MEASUREMENTS.filter(({ name }) => name.includes(options.only));
  if (chosen.length === 0) {
    const names = MEASUREMENTS.map(({ name }) => name).join(', ');
    console.error(`No measurement has "${options.only}" in its name. There are: ${names}`);
    return 2;
  }
  const lab = openLab(Number(options.actions));
  const all: Taken[] = [];
  try {
    for (const measurement of chosen) {
      const taken = await take(measurement, lab);
      all.push(taken);
      if (!options.json) console.log(linesOf(taken).join('\n'));
    }
  } finally {
    lab.close();
  }
  const failed = all.flatMap(({ figures }) => figures).filter((figure) => !passes(figure));
  const skipped = all.filter((taken) => taken.skipped !== '');
  if (options.json) {
    const figures = all.flatMap((taken) =>
      taken.figures.map((figure) => ({ ...figure, passed: passes(figure) })),
    );
    const [cpu] = cpus();
    const machine = `${cpus().length} × ${cpu?.model ?? 'unknown'}, ${process.platform}, Node ${process.version}`;
    console.log(JSON.stringify({ machine, figures, skipped }, null, 2));
  } else {
    console.log(`${failed.length} over their bounds, ${skipped.length} skipped`);
  }
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main();
