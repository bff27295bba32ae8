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
import { upgradedRunLine } from '../schema/journal/upgrade.ts';
import type { Stamped } from '../schema/records.ts';
import { CommandError } from './process/program-name.ts';

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
  /** `null` where the line is not a record. */
  readonly record: Stamped | null;
  /** Not what was written there: it does not match its checksum. */
  readonly isChanged: boolean;
}

const CHUNK = 1 << 20;

/**
 * Reads a journal that somebody else may be writing. Owns how far it has read.
 * 1. Only lines with their newline are given out, each once; a half-written one waits.
 * 2. No more is held than a chunk and one line, which is given out in parts where it is longer than
 *    any that is ever written.
 */
export class JournalTail {
  private offset = 0;
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private inode: number | null = null;
  /** Of the line given out last, as it says it; `null` where it says none. */
  private checksum: number | null = CHAIN_START;

  constructor(private readonly path: string) {}

  /** The lines that were completed since the last call; none where there is no journal. */
  read(): readonly JournalLine[] {
    return [...this.batches()].flat();
  }

  /** The same, some at a time: a journal can be larger than the memory. */
  *batches(): Generator<readonly JournalLine[]> {
    const file = this.open();
    if (file === null) return;
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) throw this.notAFile();
      const { ino, size } = stats;
      // Another goal's journal took its place: start at its beginning.
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
      (agent) => `Move away what lies there; ${agent} doctor says what is left.`,
      { cause },
    );
  }

  private restart(): void {
    this.offset = 0;
    this.keep(Buffer.alloc(0));
    this.checksum = CHAIN_START;
  }

  /** Begins a line anew with what is there of it. */
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
      const checksum = checksumOf(line);
      const isChanged = isOther(line, checksum, this.checksum);
      this.checksum = checksum;
      return { text: line, record: recordOf(line), isChanged };
    });
  }
}

const checksumOf = (line: string): number | null =>
  parseChecksum(/,"c":"([0-9a-f]{8})"\}$/.exec(line)?.[1] ?? '');

/** A line is judged by its own checksum and that of the line before, which may be wrong as well. */
const isOther = (line: string, checksum: number | null, previous: number | null): boolean =>
  checksum !== null && previous !== null && !decodeLine(Buffer.from(line), previous).ok;

const notAFolder = (path: string): TardigradeError =>
  new TardigradeError(
    'E_WORKSPACE',
    `${dirname(path)} is not a folder.`,
    'Move it away, or choose another folder.',
    { option: 'workspace' },
  );

/** Shown, never acted on: the journal itself checks its lines, here a look at the shape is enough. */
function recordOf(line: string): Stamped | null {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord =
      typeof value === 'object' &&
      value !== null &&
      'type' in value &&
      typeof value.type === 'string' &&
      'seq' in value &&
      typeof value.seq === 'number' &&
      'ts' in value &&
      typeof value.ts === 'number';
    return isRecord ? asToday(value) : null;
  } catch {
    return null;
  }
}

/** A line of an earlier format is shown as if this build had written it; what does not fit, as it is. */
function asToday(value: object): Stamped {
  const today = upgradedRunLine(value);
  return (today.ok ? today.value : value) as Stamped;
}
