import { closeSync, fstatSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { RunListing } from '../host/engine-port.ts';
import { layoutOf, refuseEndless } from '../journal/layout.ts';
import {
  CHAIN_START,
  decodeLine,
  MAX_LINE_BYTES,
  parseChecksum,
} from '../journal/lines/framing.ts';
import { refuseLinks } from '../journal/no-links.ts';
import { TardigradeError } from '../lib/errors.ts';
import { errorCode, storageError } from '../lib/files/durable-files.ts';
import { nodeFileSystem } from '../lib/files/file-system.ts';
import { isRecord, jsonIn } from '../lib/json-value.ts';
import { upgradedRunLine } from '../schema/journal/upgrade.ts';
import type { Stamped } from '../schema/records.ts';
import { AGENT, CommandError } from './process/program-name.ts';

/** @param run left out or `null`: the current one */
export function journalPath(
  workspace: string,
  run: Pick<RunListing, 'id' | 'isCurrent'> | null = null,
): string {
  const { history, runs } = layoutOf(workspace);
  return run === null || run.isCurrent ? history : join(runs, `${run.id}.jsonl`);
}

export interface JournalLine {
  readonly text: string;
  readonly record: Stamped | null;
  /** The line does not match its checksum, so it is not what was written. */
  readonly isChanged: boolean;
}

const CHUNK = 1 << 20;

/**
 * Reads a journal that another process may be writing. Owns how far it has read.
 * 1. Returns only lines that end in a newline, each once; a half-written line waits.
 * 2. Holds no more than one chunk and one line. A line longer than any that is ever written is returned in parts.
 */
export class JournalTail {
  private offset = 0;
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private inode: number | null = null;
  /** The checksum that the last returned line states; `null` if it states none. */
  private checksum: number | null = CHAIN_START;

  constructor(private readonly path: string) {}

  /** The lines completed since the last call; none if there is no journal. */
  read(): readonly JournalLine[] {
    return [...this.batches()].flat();
  }

  /** The same in batches: a journal can be larger than the memory. */
  *batches(): Generator<readonly JournalLine[]> {
    const file = this.open();
    if (file === null) return;
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) throw this.notAFile();
      const { ino, size } = stats;
      // The journal of another goal took its place: starts at its beginning.
      if (this.inode !== null && (ino !== this.inode || size < this.offset)) this.restart();
      this.inode = ino;
      for (;;) {
        const chunk = Buffer.alloc(CHUNK);
        const length = readSync(file, chunk, 0, CHUNK, this.offset);
        if (length === 0) return;
        this.offset += length;
        const lines = this.linesWith(chunk.subarray(0, length));
        if (lines.length > 0) yield lines;
      }
    } finally {
      closeSync(file);
    }
  }

  private open(): number | null {
    const folder = dirname(this.path);
    const isKept = basename(folder) === basename(layoutOf('').runs);
    const names = { file: this.path, ...(isKept ? { folder } : {}) };
    refuseLinks(nodeFileSystem, { root: folder, ...names });
    refuseEndless(nodeFileSystem, this.path);
    try {
      return nodeFileSystem.open(this.path, 'r');
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT') return null;
      if (code === 'ENOTDIR') throw notAFolder(this.path);
      throw code === 'EFTYPE' ? this.notAFile(error) : storageError(error, `opening ${this.path}`);
    }
  }

  private notAFile(cause?: unknown): TardigradeError {
    return new CommandError(
      'E_IO',
      `${this.path} is not a file.`,
      `Move away what lies there; ${AGENT} doctor says what is left.`,
      { cause },
    );
  }

  private restart(): void {
    this.offset = 0;
    this.keep(Buffer.alloc(0));
    this.checksum = CHAIN_START;
  }

  /** Begins a new line with the part that has arrived. */
  private keep(rest: Buffer): void {
    this.pending = [rest];
    this.pendingBytes = rest.length;
  }

  private linesWith(chunk: Buffer): readonly JournalLine[] {
    const end = chunk.lastIndexOf(0x0a);
    const isTooLong = end < 0 && this.pendingBytes + chunk.length > MAX_LINE_BYTES;
    this.pending.push(end < 0 ? chunk : chunk.subarray(0, end));
    this.pendingBytes += chunk.length;
    if (end < 0 && !isTooLong) return [];
    const text = Buffer.concat(this.pending).toString('utf8');
    this.keep(end < 0 ? Buffer.alloc(0) : Buffer.from(chunk.subarray(end + 1)));
    return text.split('\n').map((line) => {
      const checksum = parseChecksum(/,"c":"([0-9a-f]{8})"\}$/.exec(line)?.[1] ?? '');
      const isChanged = isOther(line, checksum, this.checksum);
      this.checksum = checksum;
      return { text: line, record: recordOf(line), isChanged };
    });
  }
}

/** Judges a line by its own checksum and that of the line before, either of which may be wrong. */
const isOther = (line: string, checksum: number | null, previous: number | null): boolean =>
  checksum !== null && previous !== null && !decodeLine(Buffer.from(line), previous).ok;

const notAFolder = (path: string): TardigradeError =>
  new TardigradeError(
    'E_WORKSPACE',
    `${dirname(path)} is not a folder.`,
    'Move it away, or choose another folder.',
    { option: 'workspace' },
  );

/** The record is only shown, so a look at its shape is enough; the journal itself verifies its lines. */
function recordOf(line: string): Stamped | null {
  const value = jsonIn(line);
  if (!isRecord(value)) return null;
  const { type, seq, ts } = value;
  const isStamped = typeof type === 'string' && typeof seq === 'number' && typeof ts === 'number';
  return isStamped ? asToday(value) : null;
}

/** Shows a line of an earlier format as this build would write it; a line that does not fit is shown as it is. */
function asToday(value: object): Stamped {
  const today = upgradedRunLine(value);
  return (today.ok ? today.value : value) as Stamped;
}
