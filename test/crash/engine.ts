import { TardigradeError } from '../../src/lib/errors.ts';
import { LOST_BYTES, LOST_NAMES, type PowerLoss } from '../support/simulated-disk.ts';
import {
  type Fault,
  type Operation,
  type SimulatedFileSystem,
  SimulatedKill,
} from '../support/simulated-file-system.ts';
import { type FaultReport, shuffled } from './contract.ts';
import { FLIPPED, flippedFiles } from './engine-flips.ts';
import { checkDurable, checkFiles, checkFinished, checkUndone } from './engine-judge.ts';
import { finishUndo, freshMachine, runToEnd, type Start, undo } from './engine-program.ts';
import { type EngineBug, Violation, Witness } from './engine-world.ts';

/** One fault from start to end: what is wrong afterwards, `null` when nothing is. */
export type EngineCase = () => Promise<string | null>;

interface Story {
  readonly fault: Fault;
  /** How the machine comes back after the fault; `undefined`: only the process died. */
  readonly loss?: PowerLoss;
  /** A second fault, met by the start after the first one. */
  readonly again?: { readonly fault: Fault; readonly loss?: PowerLoss };
}

/** Something that is started, may die, and is then started again until it is through. */
interface Program {
  machine(fault?: Fault): SimulatedFileSystem;
  witness(): Witness;
  readonly first: Start;
  readonly later: Start;
  /** @param isSound false on a disk that once answered with an error. */
  check(fs: SimulatedFileSystem, witness: Witness, isSound: boolean): void;
  readonly operations: readonly Operation[];
}

const CLEARLY: { readonly [Kind in Fault['kind']]: readonly string[] } = {
  kill: [],
  kill_in_write: [],
  full_once: ['E_DISK_FULL', 'E_IO'],
  full: ['E_DISK_FULL'],
  io_error: ['E_IO', 'E_WORKSPACE'],
  short_writes: [],
};

/** What is wrong with the way a start under a fault ended. */
async function complaint(
  start: () => ReturnType<Start>,
  fs: SimulatedFileSystem,
  { kind }: Fault,
): Promise<string | null> {
  try {
    const result = await start();
    if (!('ending' in result) || result.ending !== 'paused') return null;
    return result.why === 'disk_full' ? null : `it paused: ${result.why}: ${result.detail}`;
  } catch (error) {
    if (error instanceof Violation) return error.message;
    if (fs.isDead || error instanceof SimulatedKill) return null;
    if (!(error instanceof TardigradeError)) return `no clear error: ${String(error)}`;
    const isClear = error.message !== '' && error.hint !== '';
    return isClear && CLEARLY[kind].includes(error.code) ? null : `${error.code}: ${error.message}`;
  }
}

/** A sync that failed: the system shows bytes that it will never write. */
const mayForget: ReadonlySet<Fault['kind']> = new Set(['io_error', 'full_once']);

async function play(program: Program, story: Story, bug: EngineBug): Promise<string | null> {
  const { fault, loss, again } = story;
  const witness = program.witness();
  const comeBack = (fs: SimulatedFileSystem, how: PowerLoss | undefined, next?: Fault) => {
    const back = how === undefined ? fs.afterKill(next) : fs.afterPowerLoss(how, next);
    if (how !== undefined) witness.powerWasCut();
    checkFiles(back, witness);
    return back;
  };
  try {
    let fs = program.machine(fault);
    const first = await complaint(() => program.first(fs, witness, bug), fs, fault);
    if (first !== null) return first;
    fs = comeBack(fs, loss, again?.fault);
    if (again !== undefined) {
      const second = await complaint(() => program.later(fs, witness, bug), fs, again.fault);
      if (second !== null) return `after a second fault: ${second}`;
      fs = comeBack(fs, again.loss);
    }
    await program.later(fs, witness, bug);
    const [violation] = witness.violations;
    if (violation !== undefined) return violation;
    program.check(fs, witness, fault.kind !== 'io_error');
    if (!mayForget.has(fault.kind)) checkDurable(fs, witness);
    return null;
  } catch (error) {
    return `${String(error)}${error instanceof Violation ? '' : ` (${(error as Error).stack})`}`;
  }
}

const noBug: EngineBug = {};

/** A run that nothing disturbs: its operations, and every request it sends. */
async function runProgram(): Promise<{ run: Program; undoing: Program }> {
  const fs = freshMachine();
  const past = new Witness();
  await runToEnd(fs, past, noBug);
  const requests = new Set(past.requests);
  const run: Program = {
    machine: freshMachine,
    witness: () => new Witness(),
    first: runToEnd,
    later: runToEnd,
    check: (machine, witness, isSound) =>
      checkFinished(machine, witness, isSound ? requests : null),
    operations: fs.operations,
  };
  const finished = (fault?: Fault) => fs.afterPowerLoss({ bytes: 'all', names: 'all' }, fault);
  const undone = finished();
  await undo(undone, past.copy(), noBug);
  const undoing: Program = {
    machine: finished,
    witness: () => past.copy(),
    first: undo,
    later: finishUndo,
    check: checkUndone,
    operations: undone.operations,
  };
  return { run, undoing };
}

const LOSSES: readonly PowerLoss[] = LOST_BYTES.flatMap((bytes) =>
  LOST_NAMES.map((names) => ({ bytes, names })),
);

const lossAt = (index: number): PowerLoss => LOSSES[index % LOSSES.length] as PowerLoss;

/** Five losses for every place, so that every four places meet all of them. */
const lossesAt = (place: number): PowerLoss[] =>
  LOST_BYTES.map((_, index) => lossAt(place + index * LOST_NAMES.length));

/** Places inside a write: its ends, and some between. */
const cutsOf = (bytes: number): number[] =>
  [0, 1, bytes >> 2, bytes >> 1, bytes - 2, bytes - 1].filter((cut) => cut >= 0 && cut < bytes);

function storiesOf(operations: readonly Operation[]): { readonly [kind: string]: Story[] } {
  const all = operations.map((operation, at) => ({ ...operation, at }));
  const effects = all.filter(({ isEffect }) => isEffect);
  const kills = effects.map(({ at }): Fault => ({ kind: 'kill', at }));
  const bases = kills.filter((_, index) => index % 16 === 3);
  const again = effects.filter(({ at }, index) => at < 260 && index % 4 === 1);
  return {
    'kill before an operation': kills.map((fault) => ({ fault })),
    'kill inside a write': effects
      .filter(({ name }) => name === 'write')
      .flatMap(({ at, bytes }) =>
        cutsOf(bytes).map((cut) => ({ fault: { kind: 'kill_in_write', at, bytes: cut } as const })),
      ),
    'power loss before an operation': kills.flatMap((fault, place) =>
      lossesAt(place).map((loss) => ({ fault, loss })),
    ),
    'kill inside a recovery': bases.flatMap((fault) =>
      again.map(({ at }) => ({ fault, again: { fault: { kind: 'kill', at } as const } })),
    ),
    'power loss inside a recovery': bases.flatMap((fault, base) =>
      again.map(({ at }, index) => {
        const second = { fault: { kind: 'kill', at } as const, loss: lossAt(base + index) };
        return index % 2 === 0
          ? { fault, again: second }
          : { fault, loss: lossAt(base), again: second };
      }),
    ),
    'disk full once': effects.map(({ at }) => ({ fault: { kind: 'full_once', at } })),
    'disk full from then on': effects.map(({ at }) => ({ fault: { kind: 'full', at } })),
    'I/O error': all.map(({ at }) => ({ fault: { kind: 'io_error', at } })),
    'I/O error, then power loss': effects.map(({ at }, index) => ({
      fault: { kind: 'io_error', at },
      loss: lossAt(index),
    })),
    'short writes': [1, 7, 64, 1_000].map((most) => ({ fault: { kind: 'short_writes', most } })),
  };
}

/** The same for every bug: it has none. */
let calm: ReturnType<typeof runProgram> | undefined;

/** Every kind of fault with its cases, none of them played yet. */
async function faultKinds(
  bug: EngineBug,
  isWanted: (kind: string) => boolean,
): Promise<readonly { readonly kind: string; readonly cases: readonly EngineCase[] }[]> {
  calm ??= runProgram();
  const { run, undoing } = await calm;
  const kindsOf = (program: Program, of: string) =>
    Object.entries(storiesOf(program.operations)).map(([kind, stories]) => ({
      kind: `${of}${kind}`,
      cases: stories.map(
        (story): EngineCase =>
          async () => {
            const wrong = await play(program, story, bug);
            return wrong === null ? null : `${JSON.stringify(story)}: ${wrong}`;
          },
      ),
    }));
  const played = [...kindsOf(run, ''), ...kindsOf(undoing, 'undo: ')];
  const flips = FLIPPED.some(isWanted) ? await flippedFiles(bug, run.operations) : [];
  return [...played, ...flips].filter(({ kind }) => isWanted(kind));
}

/** Every `stride`th; of a kind that has fewer the one in its middle. */
const everyOf = (cases: readonly EngineCase[], stride: number): readonly EngineCase[] => {
  const start = Math.min(stride, cases.length) >> 1;
  return cases.filter((_, index) => index % stride === start);
};

/** Tries the faults of whole runs, every `stride`th of a kind. */
export async function crashEngine(stride = 1, only = /./): Promise<FaultReport[]> {
  const reports: FaultReport[] = [];
  for (const { kind, cases } of await faultKinds(noBug, (kind) => only.test(kind))) {
    const chosen = everyOf(cases, stride);
    const violations: string[] = [];
    for (const each of chosen) {
      const wrong = await each();
      if (wrong !== null) violations.push(wrong);
    }
    reports.push({ kind, cases: chosen.length, violations });
  }
  return reports;
}

export interface PlantedEngineBug {
  readonly bug: EngineBug;
  readonly shownBy: string;
  /** As in `PlantedBug`. */
  readonly from?: number;
  /** What must be said of it: another complaint would be about something else. */
  readonly as: RegExp;
}

/** Plays a kind of fault on a planted bug until it shows; counts the cases it took. */
export async function engineCasesUntilCaught({
  bug,
  shownBy,
  from = 0,
  as,
}: PlantedEngineBug): Promise<number | null> {
  const kinds = await faultKinds(bug, (kind) => kind === shownBy);
  const cases = kinds.flatMap((each) => each.cases);
  for (const [index, each] of shuffled(cases, from).entries()) {
    const wrong = await each();
    if (wrong !== null && as.test(wrong)) return index + 1;
  }
  return null;
}
