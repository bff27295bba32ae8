import { createHash } from 'node:crypto';
import { openingOf } from '../../src/context-manager/open-or-create.ts';
import { RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { layoutOf, prepareLayout } from '../../src/journal/layout.ts';
import { acquireLock } from '../../src/journal/lock/lock.ts';
import { readPage } from '../../src/journal/read-journal.ts';
import { createJournal, type OpenedJournal, openJournal } from '../../src/journal/recover.ts';
import { verifyChain } from '../../src/journal/repair/verify.ts';
import type { Fold } from '../../src/journal/replay.ts';
import { chooseRun, makeCurrent } from '../../src/journal/runs/runs.ts';
import { writeSnapshot } from '../../src/journal/snapshot.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { newDirectory } from '../../src/lib/files/memory-nodes.ts';
import type { ProcessIdentity } from '../../src/lib/process-identity.ts';
import type { JournalRecord, Located } from '../../src/schema/records.ts';
import { SimulatedDisk } from '../support/simulated-disk.ts';
import { type Fault, SimulatedFileSystem } from '../support/simulated-file-system.ts';

/** A fold that forgets nothing: its digest names every record it has seen, in order. */
export interface ToyState {
  readonly goal: string;
  readonly steps: number;
  readonly digest: string;
}

export const toyFold: Fold<ToyState, JournalRecord> = {
  schema: 1,
  reduce(state, record) {
    const before = state ?? { goal: '', steps: 0, digest: '' };
    const isStep = record.type === 'note' && record.kind === 'step';
    return {
      goal: record.type === 'run_opened' ? record.goal : before.goal,
      steps: before.steps + (isStep ? 1 : 0),
      digest: createHash('sha256')
        .update(before.digest + JSON.stringify(record))
        .digest('hex'),
    };
  },
};

export const WORKSPACE = '/work';
/** A machine with an empty workspace. */
export function freshMachine(fault?: Fault): SimulatedFileSystem {
  const root = newDirectory(0o755, 0);
  root.entries.set(WORKSPACE.slice(1), newDirectory(0o755, 0));
  return new SimulatedFileSystem({ fault }, new SimulatedDisk(root));
}

export const LAYOUT = layoutOf(WORKSPACE);

/** Goals change in the middle, so that journals are moved away and back. */
const PHASES = [
  { goal: 'first', until: 4, finish: false },
  { goal: 'second', until: 3, finish: true },
  { goal: 'first', until: 7, finish: true },
] as const;

/** Every third step is long enough for a blob. */
export const textOfStep = (goal: string, step: number): string =>
  `${goal} ${step} `.repeat(step % 3 === 1 ? 1_200 : 2);

/** Stands outside of the machine: what the program was told is written, and what is durable. */
export class Witness {
  readonly #steps = new Map<string, number>();
  readonly #written = new Map<string, number>();

  acknowledge(goal: string, steps: number): void {
    this.#steps.set(goal, Math.max(steps, this.#steps.get(goal) ?? 0));
  }

  /** Written, so that the death of the process takes none of them. */
  wrote(goal: string, steps: number): void {
    this.#written.set(goal, Math.max(steps, this.#written.get(goal) ?? 0));
  }

  powerWasCut(): void {
    this.#written.clear();
  }

  /** Steps that must be there whatever happened. */
  acknowledged(goal: string): number {
    return Math.max(this.#steps.get(goal) ?? 0, this.#written.get(goal) ?? 0);
  }
}

export class Violation extends Error {
  override readonly name = 'Violation';
}

function demand(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}

export interface Machine {
  readonly fs: FileSystem;
  readonly witness: Witness;
  /** Another one for every start, so that the lock of the one before is that of a dead process. */
  readonly pid: number;
}

const identityOf = (pid: number): ProcessIdentity => ({
  host: 'simulated',
  boot: 'boot',
  pidNamespace: '',
  pid,
  startTimeOf: (other) => (other === pid ? `started ${pid}` : null),
});

/** Works through all phases from wherever the disk stands, checking what it finds on the way. */
export function runProgram({ fs, witness, pid }: Machine): void {
  let time = 1_000_000 + pid;
  const clock = { now: () => time++ };
  prepareLayout(fs, LAYOUT);
  const lock = acquireLock({ fs, directory: LAYOUT.lock, identity: identityOf(pid), clock });
  const ports = { fs, layout: LAYOUT, clock, fold: toyFold, format: RUN_FORMAT };
  for (const { goal, until, finish } of PHASES) {
    const choice = chooseRun({ fs, layout: LAYOUT, format: RUN_FORMAT }, goal);
    demand(choice.kind !== 'new' || witness.acknowledged(goal) === 0, `the run of ${goal} is lost`);
    if (choice.kind === 'finished') continue;
    makeCurrent(
      { fs, layout: LAYOUT, format: RUN_FORMAT },
      choice.kind === 'resume' ? choice.run : null,
    );
    const opened =
      choice.kind === 'resume'
        ? openJournal(ports)
        : createJournal(ports, openingOf(goal, clock.now()));
    demand(opened !== null, `the journal of ${goal} is gone`);
    checkAgainstJournal(fs, opened, witness);
    workThrough(fs, opened, { until, finish, witness });
    opened.journal.close();
  }
  lock.release();
}

function workThrough(
  fs: FileSystem,
  { journal, state: found }: OpenedJournal<ToyState, JournalRecord>,
  { until, finish, witness }: { until: number; finish: boolean; witness: Witness },
): void {
  let state = found;
  const barrier = (isEnd = false): void => {
    journal.sync();
    witness.acknowledge(state.goal, state.steps);
    const at = { ...journal.position(), schema: toyFold.schema, synced: isEnd };
    if (isEnd || state.steps % 2 === 0) writeSnapshot(fs, LAYOUT, { ...at, state });
  };
  const append = (record: JournalRecord): Located => {
    const located = appendOrPause(fs, journal, record);
    state = toyFold.reduce(state, located);
    witness.wrote(state.goal, state.steps);
    return located;
  };
  while (state.steps < until) {
    const step = state.steps;
    if (step % 3 === 2) append(intentOf(step));
    append({ type: 'note', kind: 'step', data: { step, text: textOfStep(state.goal, step) } });
    // Groups of several records, and of several pages.
    if (step % 4 !== 1) barrier();
  }
  if (finish) append({ type: 'run_finished', ending: 'achieved', detail: '' });
  barrier(true);
}

/** An intent is longer than a pause and is never written from the reserve. */
const intentOf = (step: number): JournalRecord => ({
  type: 'action_intended',
  id: `1.1#1#${step}`,
  class: 'command',
  tool: 'run_cmd',
  args: { cmd: 'python3 game.py '.repeat(40) },
  signature: '0'.repeat(64),
  files: [],
});

/** What the engine does on a full disk: the pause must fit, thanks to the reserve. */
function appendOrPause(
  fs: FileSystem,
  journal: Journal<JournalRecord>,
  record: JournalRecord,
): Located {
  const hadReserve = journal.hasReserve;
  let located: Located | null = null;
  let full: unknown = null;
  try {
    located = journal.append(record);
  } catch (error) {
    if (!(error instanceof TardigradeError) || error.code !== 'E_DISK_FULL') throw error;
    full = error;
  }
  if (journal.hasReserve && located !== null) return located;
  if (hadReserve || located === null) {
    try {
      journal.append({ type: 'run_paused', why: 'disk_full', detail: '', hint: '' });
      journal.sync();
    } catch (error) {
      demand(!hadReserve, `the pause did not fit into the reserve: ${String(error)}`);
    }
  }
  const problem =
    verifyChain({ fs, layout: LAYOUT, format: RUN_FORMAT })?.problem ?? 'there is no journal';
  demand(problem === '', `a full disk left a damaged journal: ${problem}`);
  throw full ?? new TardigradeError('E_DISK_FULL', 'paused', 'free some space');
}

/** Everything acknowledged is there, once and in order, and the state is the fold of it. */
export function checkAgainstJournal(
  fs: FileSystem,
  { journal, state }: OpenedJournal<ToyState, JournalRecord>,
  witness: Witness,
): void {
  const { records, problem } = readPage({ fs, format: RUN_FORMAT }, LAYOUT.history);
  demand(problem === '', `the journal is damaged: ${problem}`);
  let folded: ToyState | null = null;
  let step = 0;
  for (const record of records) {
    folded = toyFold.reduce(folded, record);
    if (record.type !== 'note') continue;
    const { data } = journal.readBack(record);
    const text = textOfStep(state.goal, step);
    demand(data.step === step && data.text === text, `step ${step} of ${state.goal} is wrong`);
    step += 1;
  }
  demand(folded?.digest === state.digest, `the state of ${state.goal} is not the fold`);
  const acknowledged = witness.acknowledged(state.goal);
  demand(step >= acknowledged, `${state.goal} lost ${acknowledged - step} acknowledged steps`);
  // From here on somebody acts on it, so it has to stay.
  witness.acknowledge(state.goal, step);
}

export function checkComplete(fs: FileSystem, witness: Witness): void {
  for (const { goal, until } of PHASES) {
    const choice = chooseRun({ fs, layout: LAYOUT, format: RUN_FORMAT }, goal);
    demand(choice.kind === 'finished', `${goal} did not finish`);
    demand(witness.acknowledged(goal) >= until, `${goal} has steps missing`);
  }
}
