/**
 * The file a recording grows in.
 *
 * Owns how long it is. After the first failure nothing is written any more, and what was is whole:
 * what was written of a line is taken back, or else left out by whoever reads it.
 */
import { replaceFile, storageError, writeFully } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import type { Recording, RecordingHead, RecordingLine } from './recording.ts';

export interface Tape {
  hasBegun(): boolean;
  /** What the file begins with; it is written with the next line. */
  begin(known: Recording): void;
  add(line: RecordingLine): void;
  setLoadedWindow(tokens: number | null): void;
}

/** Nothing it does throws; the first failure is told to `warn`. */
export function tapeAt(fs: FileSystem, path: string, warn: (text: string) => void): Tape {
  let first: Recording | null = null;
  let loadedWindow: number | undefined;
  /** Bytes; `null`: what is there is not ours. */
  let size: number | null = null;
  let isBroken = false;

  const add = (line: RecordingLine): void => {
    if (isBroken || first === null) return;
    try {
      if (size === null) {
        const bytes = Buffer.from(linesOf(first) + lineOf(line));
        replaceFile(fs, path, bytes);
        size = bytes.length;
      } else size += append(fs, path, Buffer.from(lineOf(line)), size);
    } catch (error) {
      isBroken = true;
      const why = error instanceof Error ? error.message : String(error);
      warn(`The recording ends here, the run goes on: ${why}`);
    }
  };

  return {
    hasBegun: () => first !== null,
    begin: (known) => {
      first = known;
      loadedWindow = known.loadedWindow;
    },
    add,
    setLoadedWindow: (tokens) => {
      if (tokens === null || tokens === loadedWindow) return;
      loadedWindow = tokens;
      add({ loadedWindow: tokens });
    },
  };
}

const lineOf = (line: RecordingHead | RecordingLine): string => `${JSON.stringify(line)}\n`;

function linesOf({ turns, others = [], loadedWindow, ...head }: Recording): string {
  return [
    lineOf({ ...head, format: 2 }),
    ...others.map((way) => lineOf({ way })),
    ...(loadedWindow === undefined ? [] : [lineOf({ loadedWindow })]),
    ...turns.map(lineOf),
  ].join('');
}

/** Durable when it returns how many bytes there are more. */
function append(fs: FileSystem, path: string, bytes: Buffer, size: number): number {
  try {
    const fd = fs.open(path, 'r+');
    try {
      if (fs.size(fd) !== size) throw new Error(`${path} was changed by somebody else.`);
      appendTo(fs, fd, bytes, size);
    } finally {
      fs.close(fd);
    }
  } catch (error) {
    throw storageError(error, `writing ${path}`);
  }
  return bytes.length;
}

function appendTo(fs: FileSystem, fd: number, bytes: Buffer, size: number): void {
  try {
    writeFully(fs, fd, bytes, size);
    fs.fdatasync(fd);
  } catch (error) {
    try {
      fs.ftruncate(fd, size);
    } catch {
      // A torn last line is left out when the recording is read.
    }
    throw error;
  }
}
