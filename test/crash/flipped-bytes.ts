import { RUN_FORMAT } from '../../src/context-manager/run-format.ts';
import { openJournal } from '../../src/journal/recover.ts';
import { TardigradeError } from '../../src/lib/errors.ts';
import { readFileIfPresent, replaceFile } from '../../src/lib/files/durable-files.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import type { SimulatedFileSystem } from '../support/simulated-file-system.ts';
import type { Case, SeededBug } from './contract.ts';
import {
  freshMachine,
  LAYOUT,
  runProgram,
  type ToyState,
  toyFold,
  Witness,
} from './storage-program.ts';

/** Bits that are wrong: one, several, all, and a byte made NUL. */
const CHANGES: readonly ((byte: number) => number)[] = [
  (byte) => byte ^ 0x01,
  (byte) => byte ^ 0x20,
  (byte) => byte ^ 0xff,
  () => 0,
];

const CLOCK = { now: () => 5_000_000 };

interface Finished {
  readonly machine: SimulatedFileSystem;
  readonly journal: Buffer;
  readonly snapshot: Buffer;
  readonly state: ToyState;
  /** The state without the last record, which cannot be told from a torn one. */
  readonly stateBefore: ToyState;
}

function bytesOf(fs: FileSystem, path: string): Buffer {
  const bytes = readFileIfPresent(fs, path);
  if (bytes === null) throw new Error(`${path} is missing`);
  return bytes;
}

/** A machine on which the whole program has run. */
function finishedMachine(): SimulatedFileSystem {
  const fs = freshMachine();
  runProgram({ fs, witness: new Witness(), pid: 1 });
  return fs;
}

function open(fs: FileSystem): ToyState {
  const opened = openJournal({
    fs,
    layout: LAYOUT,
    clock: CLOCK,
    fold: toyFold,
    format: RUN_FORMAT,
  });
  opened?.journal.close();
  if (opened === null) throw new Error('there is no journal');
  return opened.state;
}

/** A copy of a machine with some files replaced, or taken away. */
function withFiles(
  machine: SimulatedFileSystem,
  files: { readonly [path: string]: Buffer | null },
): SimulatedFileSystem {
  const fs = machine.afterPowerLoss({ bytes: 'all', names: 'all' });
  for (const [path, bytes] of Object.entries(files)) {
    if (bytes === null) fs.unlink(path);
    else replaceFile(fs, path, bytes);
  }
  return fs;
}

function finished(): Finished {
  const fs = finishedMachine();
  const journal = bytesOf(fs, LAYOUT.history);
  const snapshot = bytesOf(fs, LAYOUT.state);
  const cut = journal.subarray(0, journal.lastIndexOf(0x0a, journal.length - 2) + 1);
  const shorter = withFiles(fs, { [LAYOUT.history]: cut, [LAYOUT.state]: null });
  const state = open(withFiles(fs, {}));
  return { machine: fs, journal, snapshot, state, stateBefore: open(shorter) };
}

function flipped(bytes: Buffer, at: number, change: (byte: number) => number): Buffer | null {
  const copy = Buffer.from(bytes);
  const before = copy[at] ?? 0;
  copy[at] = change(before);
  return copy[at] === before ? null : copy;
}

const REFUSALS = new Set(['E_JOURNAL_CORRUPT', 'E_TOO_NEW']);

/** What opening said about a damaged journal; `null` when that is right. */
function judge(
  fs: SimulatedFileSystem,
  bug: SeededBug,
  expected: Finished,
  at: number,
): string | null {
  const before = bytesOf(fs, LAYOUT.history);
  try {
    const { digest } = open(bug(fs));
    if (digest === expected.state.digest) return 'a changed byte went unnoticed';
    const lastLine = expected.journal.lastIndexOf(0x0a, expected.journal.length - 2) + 1;
    const isLast = at >= lastLine;
    if (isLast && digest === expected.stateBefore.digest) return null;
    return 'a wrong state was used';
  } catch (error) {
    if (!(error instanceof TardigradeError)) return `no clear error: ${String(error)}`;
    if (!REFUSALS.has(error.code)) return `${error.code}: ${error.message}`;
    if (error.code === 'E_JOURNAL_CORRUPT' && error.command?.[0] !== 'repair') {
      return 'the refusal names no next step';
    }
    return bytesOf(fs, LAYOUT.history).equals(before) ? null : 'a refused journal was changed';
  }
}

export function flippedJournals(bug: SeededBug): Case[] {
  const expected = finished();
  const flip = (at: number, change: (byte: number) => number, snapshot: Buffer | null): Case => {
    return () => {
      const journal = flipped(expected.journal, at, change);
      if (journal === null) return null;
      const files = { [LAYOUT.history]: journal, [LAYOUT.state]: snapshot };
      const wrong = judge(withFiles(expected.machine, files), bug, expected, at);
      return wrong === null ? null : `byte ${at} of the journal: ${wrong}`;
    };
  };
  return [...expected.journal.keys()].flatMap((at) =>
    CHANGES.flatMap((change) => [flip(at, change, null), flip(at, change, expected.snapshot)]),
  );
}

/** A damaged snapshot is rebuilt: it never matters. */
export function flippedSnapshots(bug: SeededBug): Case[] {
  const expected = finished();
  const opened = (snapshot: Buffer | null, what: string): string | null => {
    if (snapshot === null) return null;
    try {
      const { digest } = open(bug(withFiles(expected.machine, { [LAYOUT.state]: snapshot })));
      return digest === expected.state.digest ? null : `${what}: a wrong state was used`;
    } catch (error) {
      return `${what}: ${String(error)}`;
    }
  };
  return [...expected.snapshot.keys()].flatMap((at) => [
    ...CHANGES.map(
      (change): Case =>
        () =>
          opened(flipped(expected.snapshot, at, change), `byte ${at} of the snapshot`),
    ),
    () => opened(expected.snapshot.subarray(0, at), `the snapshot cut at byte ${at}`),
  ]);
}
