/** A byte that went wrong on the disk while a run was down: noticed, or without any effect. */

import { TardigradeError } from '../../src/lib/errors.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import type { Operation, SimulatedFileSystem } from '../support/simulated-file-system.ts';
import type { EngineCase } from './engine.ts';
import { FINAL, NEW_NOTES, NOTES, PROGRAM } from './engine-model.ts';
import { freshMachine, LAYOUT, runToEnd } from './engine-program.ts';
import { demand, type EngineBug, textAt, Witness, WORKSPACE } from './engine-world.ts';

const CHANGES: readonly ((byte: number) => number)[] = [
  (byte) => byte ^ 0x01,
  (byte) => byte ^ 0x20,
  (byte) => byte ^ 0xff,
  () => 0,
];

const REFUSALS = new Set(['E_JOURNAL_CORRUPT', 'E_TOO_NEW']);
const ENDS: ReadonlySet<string> = new Set(['achieved', 'unverified']);

/** A run that was killed, and what is known of it. */
interface Killed {
  readonly machine: SimulatedFileSystem;
  readonly witness: Witness;
  readonly journal: Buffer;
  readonly snapshot: Buffer | null;
  readonly lastLine: number;
}

/**
 * Between two commands: one that was under way is told as interrupted, and rightly so.
 * Finding such a place takes a whole run for each that is tried.
 */
async function killedAt(at: number): Promise<Killed> {
  const fs = freshMachine({ kind: 'kill', at });
  const witness = new Witness();
  await runToEnd(fs, witness, {}).catch(() => {});
  const machine = fs.afterPowerLoss({ bytes: 'all', names: 'all' });
  const journal = readFileIfPresent(machine, LAYOUT.history) ?? Buffer.alloc(0);
  const snapshot = readFileIfPresent(machine, LAYOUT.state);
  const ends = ['"action_finished"', '"check_ran"'].map((type) => journal.lastIndexOf(type));
  if (journal.lastIndexOf('"action_started"') > Math.max(...ends)) return killedAt(at + 1);
  const lastLine = journal.lastIndexOf(0x0a, journal.length - 2) + 1;
  return { machine, witness, journal, snapshot, lastLine };
}

interface Damage {
  readonly journal: Buffer;
  readonly snapshot: Buffer | null;
  /** The last record cannot be told from one that was being written. */
  readonly isLast: boolean;
}

/** Resumes on damaged files: refused with the files untouched, or as if nothing had happened. */
async function resume(
  killed: Killed,
  damage: Damage,
  plain: ReadonlySet<string>,
  bug: EngineBug,
): Promise<string | null> {
  const fs = killed.machine.afterPowerLoss({ bytes: 'all', names: 'all' });
  replaceFile(fs, LAYOUT.history, damage.journal);
  if (damage.snapshot !== null) replaceFile(fs, LAYOUT.state, damage.snapshot);
  else if (killed.snapshot !== null) fs.unlink(LAYOUT.state);
  const witness = killed.witness.copy();
  try {
    const result = await runToEnd(fs, witness, bug);
    // A run whose records are lost finds its own work done, and may not claim it.
    demand('ending' in result && ENDS.has(result.ending), 'the goal is not achieved');
    demand(textAt(fs, `${WORKSPACE}/${PROGRAM}`) === FINAL, `${PROGRAM} is wrong`);
    demand(textAt(fs, `${WORKSPACE}/${NOTES}`) === NEW_NOTES, `${NOTES} is wrong`);
    if (damage.isLast) return null;
    const other = witness.requests.findIndex((request) => !plain.has(request));
    demand(other < 0, `request ${other + 1} is not the one of an uninterrupted run`);
    return witness.violations[0] ?? null;
  } catch (error) {
    if (!(error instanceof TardigradeError)) return String(error);
    if (!REFUSALS.has(error.code) || error.hint === '') return `${error.code}: ${error.message}`;
    const now = readFileIfPresent(fs.afterKill(), LAYOUT.history);
    const isKept = now?.subarray(0, damage.journal.length).equals(damage.journal) ?? false;
    return isKept ? null : 'a refused journal was changed';
  }
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = CHANGES[at % CHANGES.length]?.(copy[at] ?? 0) ?? 0;
  return copy;
}

/** Every 13th byte: the storage below is tried with all of them. */
const STEP = 13;

const placesIn = (bytes: Buffer): number[] =>
  Array.from({ length: Math.ceil(bytes.length / STEP) }, (_, index) => index * STEP);

export const FLIPPED = ['a flipped byte in the journal', 'a flipped or cut snapshot'] as const;

interface Sound {
  readonly plain: ReadonlySet<string>;
  readonly killed: readonly Killed[];
}

async function soundRuns(operations: readonly Operation[]): Promise<Sound> {
  const plainly = new Witness();
  await runToEnd(freshMachine(), plainly, {});
  const killed = await Promise.all(
    [0.45, 0.7].map((part) => killedAt(Math.floor(operations.length * part))),
  );
  return { plain: new Set(plainly.requests), killed };
}

/** The same for every bug: they have none. */
let sound: Promise<Sound> | undefined;

export async function flippedFiles(
  bug: EngineBug,
  operations: readonly Operation[],
): Promise<{ kind: string; cases: EngineCase[] }[]> {
  sound ??= soundRuns(operations);
  const { plain, killed: all } = await sound;
  const named = (what: string, wrong: string | null) =>
    wrong === null ? null : `${what}: ${wrong}`;
  const journals = all.flatMap((killed) =>
    placesIn(killed.journal).map(
      (at, index): EngineCase =>
        async () => {
          const snapshot = index % 2 === 0 ? killed.snapshot : null;
          const isLast = at >= killed.lastLine;
          const damage = { journal: flipped(killed.journal, at), snapshot, isLast };
          return named(`byte ${at} of the journal`, await resume(killed, damage, plain, bug));
        },
    ),
  );
  const snapshots = all.flatMap((killed) =>
    placesIn(killed.snapshot ?? Buffer.alloc(0)).map(
      (at, index): EngineCase =>
        async () => {
          const bytes = killed.snapshot ?? Buffer.alloc(0);
          const snapshot = index % 5 === 4 ? bytes.subarray(0, at) : flipped(bytes, at);
          const damage = { journal: killed.journal, snapshot, isLast: false };
          return named(`byte ${at} of the snapshot`, await resume(killed, damage, plain, bug));
        },
    ),
  );
  return [
    { kind: FLIPPED[0], cases: journals },
    { kind: FLIPPED[1], cases: snapshots },
  ];
}
