import { TardigradeError } from '../../src/lib/errors.ts';
import { LOST_BYTES, LOST_NAMES, type PowerLoss } from '../support/simulated-disk.ts';
import {
  type Fault,
  type Operation,
  type SimulatedFileSystem,
  SimulatedKill,
} from '../support/simulated-file-system.ts';
import {
  type Case,
  type FaultReport,
  type PlantedBug,
  type SeededBug,
  shuffled,
} from './contract.ts';
import { flippedJournals, flippedSnapshots } from './flipped-bytes.ts';
import { checkComplete, freshMachine, runProgram, Violation, Witness } from './storage-program.ts';

/** What happened to one machine: a first start that meets a fault, then what comes after. */
interface Story {
  readonly fault: Fault;
  /** How the machine comes back after the fault; `undefined`: only the process died. */
  readonly loss?: PowerLoss;
  /** A second fault, met by the start after the first one. */
  readonly again?: { readonly fault: Fault; readonly loss?: PowerLoss };
}

const noBug: SeededBug = (fs) => fs;

/** One start of the program: the error it ended with, `null` when it came through. */
function start(fs: SimulatedFileSystem, witness: Witness, pid: number, bug: SeededBug): unknown {
  try {
    runProgram({ fs: bug(fs), witness, pid });
    return null;
  } catch (error) {
    return error;
  }
}

const ALLOWED: { readonly [Kind in Fault['kind']]: readonly string[] } = {
  kill: ['SimulatedKill'],
  kill_in_write: ['SimulatedKill'],
  full_once: ['E_DISK_FULL', 'E_IO'],
  full: ['E_DISK_FULL'],
  io_error: ['E_IO'],
  short_writes: [],
};

function complaint(error: unknown, fault: Fault): string | null {
  if (error === null) return null;
  if (error instanceof Violation) return error.message;
  if (error instanceof SimulatedKill) return null;
  const code = error instanceof TardigradeError ? error.code : 'no clear error';
  return ALLOWED[fault.kind].includes(code) ? null : `${code}: ${String(error)}`;
}

/** Plays a story to its end; the sentence says what is wrong, `null` that nothing is. */
function play({ fault, loss, again }: Story, bug: SeededBug): string | null {
  const witness = new Witness();
  let fs = freshMachine(fault);
  const first = complaint(start(fs, witness, 1, bug), fault);
  if (first !== null) return first;
  if (loss !== undefined) witness.powerWasCut();
  fs = loss === undefined ? fs.afterKill(again?.fault) : fs.afterPowerLoss(loss, again?.fault);
  if (again !== undefined) {
    const second = complaint(start(fs, witness, 2, bug), again.fault);
    if (second !== null) return `after a second fault: ${second}`;
    if (again.loss !== undefined) witness.powerWasCut();
    fs = again.loss === undefined ? fs.afterKill() : fs.afterPowerLoss(again.loss);
  }
  const last = start(fs, witness, 3, bug);
  if (last !== null) return `the next start failed: ${String(last)}`;
  try {
    checkComplete(fs.afterKill(), witness);
    return null;
  } catch (error) {
    return String(error);
  }
}

/** The operations of a run that nothing disturbs. */
export function plainOperations(): readonly Operation[] {
  const fs = freshMachine();
  runProgram({ fs, witness: new Witness(), pid: 1 });
  return fs.operations;
}

const LOSSES: readonly PowerLoss[] = LOST_BYTES.flatMap((bytes) =>
  LOST_NAMES.map((names) => ({ bytes, names })),
);

/** All places inside a write, or a spread of them when it is long. */
function cutsOf(bytes: number): number[] {
  const step = bytes <= 2_048 ? 1 : Math.ceil(bytes / 64);
  return Array.from({ length: Math.ceil(bytes / step) }, (_, index) => index * step);
}

function storiesOf(operations: readonly Operation[]): { [kind: string]: Story[] } {
  const all = operations.map((operation, at) => ({ ...operation, at }));
  const effects = all.filter(({ isEffect }) => isEffect);
  const kills = effects.map(({ at }): Fault => ({ kind: 'kill', at }));
  // Written and not yet synced is where a recovery can be fooled; the others are a sample.
  const bases = effects
    .filter(({ name }, index) => name === 'fdatasync' || index % 20 === 3)
    .map(({ at }): Fault => ({ kind: 'kill', at }));
  // A start that finds the program half done does at most as much as the first one.
  const again = effects.filter(({ at }) => at < 260);
  return {
    'kill before an operation': kills.map((fault) => ({ fault })),
    'kill inside a write': effects
      .filter(({ name }) => name === 'write')
      .flatMap(({ at, bytes }) =>
        cutsOf(bytes).map((cut) => ({ fault: { kind: 'kill_in_write', at, bytes: cut } as const })),
      ),
    'power loss before an operation': kills.flatMap((fault) =>
      LOSSES.map((loss) => ({ fault, loss })),
    ),
    'kill inside a recovery': bases.flatMap((fault) =>
      again.map(({ at }) => ({ fault, again: { fault: { kind: 'kill', at } as const } })),
    ),
    'power loss inside a recovery': bases.flatMap((fault) =>
      again.flatMap(({ at }, index) => {
        const loss = LOSSES[index % LOSSES.length] as PowerLoss;
        const second = { fault: { kind: 'kill', at } as const, loss };
        return [
          { fault, again: second },
          { fault, loss, again: second },
        ];
      }),
    ),
    'disk full once': effects.map(({ at }) => ({ fault: { kind: 'full_once', at } })),
    'disk full from then on': effects.map(({ at }) => ({ fault: { kind: 'full', at } })),
    'I/O error': all.map(({ at }) => ({ fault: { kind: 'io_error', at } })),
    'I/O error, then power loss': effects.flatMap(({ at }) =>
      LOSSES.map((loss) => ({ fault: { kind: 'io_error', at } as const, loss })),
    ),
    'short writes': [1, 7, 64, 1_000].map((most) => ({ fault: { kind: 'short_writes', most } })),
  };
}

/** Every kind of fault with its cases, none of them played yet. */
function faultKinds(bug: SeededBug): readonly { kind: string; cases: () => readonly Case[] }[] {
  const stories = Object.entries(storiesOf(plainOperations())).map(([kind, each]) => ({
    kind,
    cases: () =>
      each.map(
        (story): Case =>
          () => {
            const wrong = play(story, bug);
            return wrong === null ? null : `${JSON.stringify(story)}: ${wrong}`;
          },
      ),
  }));
  return [
    ...stories,
    { kind: 'a flipped byte in the journal', cases: () => flippedJournals(bug) },
    { kind: 'a flipped or cut snapshot', cases: () => flippedSnapshots(bug) },
  ];
}

const everyOf = (cases: readonly Case[], stride: number): readonly Case[] =>
  cases.length < 10 ? cases : cases.filter((_, index) => index % stride === 0);

/** Tries all faults of the storage; every report without violations is what we want. */
export function crashStorage(stride = 1): FaultReport[] {
  return faultKinds(noBug).map(({ kind, cases }) => {
    const chosen = everyOf(cases(), stride);
    const violations = chosen.map((play) => play()).filter((wrong) => wrong !== null);
    return { kind, cases: chosen.length, violations };
  });
}

/** Plays a kind of fault on a planted bug until something goes wrong; counts the cases it took. */
export function casesUntilCaught({ bug, shownBy, from }: PlantedBug): number | null {
  const kinds = faultKinds(bug).filter(({ kind }) => kind === shownBy);
  const cases = kinds.flatMap((each) => each.cases());
  const index = shuffled(cases, from).findIndex((play) => play() !== null);
  return index < 0 ? null : index + 1;
}
