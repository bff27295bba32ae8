/**
 * Who requested which change, and what was refused: one line of JSON each, in the data folder.
 *
 * 1. No line contains a token, a key or text that a person wrote; names, folder paths and kinds of answers may appear.
 * 2. It stays small: at 1 MB the file is moved aside and replaces the previous one.
 * 3. A failure to write it affects nobody. Beyond a hundred refusals of one kind in a minute, further ones are only
 *    counted.
 */
import type { Clock } from '../../lib/clock.ts';
import { pathsOf } from '../../lib/files/absolute-paths.ts';
import { ensureDirectory, writeFully } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';

const MAX_BYTES = 1024 * 1024;
const MAX_REFUSED = 100;
const A_MINUTE = 60_000;

export interface AuditLine {
  /** The name of the token; '' if no valid one was sent. */
  readonly who: string;
  /** The name of the route; '' if there is none. */
  readonly what: string;
  /** The run or the conversation. */
  readonly of?: string;
  /** A folder, or the kind of an answer. */
  readonly more?: string;
  readonly status: number;
  /** The code of a refusal. */
  readonly code?: string;
}

/** Pure: what an audit line may take from a body: a folder, or the kind of an answer. */
export function aboutIn(body: unknown): { more?: string } {
  const { workspace, workspacePath, answer, approved, right } = (body ?? {}) as Partial<
    Record<'workspace' | 'workspacePath' | 'answer' | 'approved' | 'right', unknown>
  >;
  const said = workspace ?? workspacePath ?? answer ?? right;
  if (typeof said === 'string') return { more: said.slice(0, MAX_SAID) };
  return typeof approved === 'boolean' ? { more: approved ? 'once' : 'no' } : {};
}

const MAX_SAID = 400;

export interface FilesPlace {
  readonly fs: FileSystem;
  /** Absolute. */
  readonly folder: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

export class Audit {
  readonly #place: FilesPlace;
  #since = Number.NEGATIVE_INFINITY;
  #refused = new Map<string, number>();

  constructor(place: FilesPlace) {
    this.#place = place;
  }

  note(line: AuditLine): void {
    if (line.code !== undefined && !this.#isRoom(line.code)) return;
    this.#write(line);
  }

  /** Invariant 3. */
  #isRoom(code: string): boolean {
    const now = this.#place.clock.monotonic();
    if (now - this.#since > A_MINUTE) {
      for (const [of, count] of this.#refused) {
        const more = count - MAX_REFUSED;
        if (more > 0) this.#write({ code: of, more });
      }
      this.#since = now;
      this.#refused.clear();
    }
    const count = (this.#refused.get(code) ?? 0) + 1;
    this.#refused.set(code, count);
    return count <= MAX_REFUSED;
  }

  #write(line: object): void {
    const { fs, folder, clock } = this.#place;
    const { join } = pathsOf(fs.platform);
    const file = join(folder, 'audit.jsonl');
    const at = new Date(clock.now()).toISOString();
    try {
      ensureDirectory(fs, folder);
      const bytes = Buffer.from(`${JSON.stringify({ at, ...line })}\n`);
      const append = (fd: number): number => {
        const before = fs.size(fd);
        writeFully(fs, fd, bytes, before);
        return before;
      };
      const size = withFile(fs, file, append, 'a', 0o600);
      if (size > MAX_BYTES) fs.rename(file, join(folder, 'audit.1.jsonl'));
    } catch {
      // Invariant 3.
    }
  }
}
