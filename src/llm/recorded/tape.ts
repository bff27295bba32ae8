/**
 * The file in which a recording grows.
 *
 * Owns its length. After the first failure nothing more is written, and earlier lines stay intact: a partly written
 * line is removed, or else skipped by readers.
 */
import { thrownText } from '../../lib/callback.ts';
import { replaceFile, withStorageErrors, writeFully } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';
import { withFile } from '../../lib/files/with-file.ts';
import { orNull } from '../../lib/or-null.ts';
import type { Recording, RecordingHead, RecordingLine } from './recording.ts';

export interface Tape {
  hasBegun(): boolean;
  /** The beginning of the file; it is written with the next line. */
  begin(known: Recording): void;
  add(line: RecordingLine): void;
  setLoadedWindow(tokens: number | null): void;
}

/** Nothing here throws; the first failure goes to `warn`. */
export function tapeAt(fs: FileSystem, path: string, warn: (text: string) => void): Tape {
  let first: Recording | null = null;
  let loadedWindow: number | undefined;
  /** Bytes; `null`: the existing file is not ours. */
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
      warn(`The recording ends here, the run goes on: ${thrownText(error)}`);
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

/** Durable when it returns the number of bytes added. */
function append(fs: FileSystem, path: string, bytes: Buffer, size: number): number {
  withStorageErrors(`writing ${path}`, () =>
    withFile(
      fs,
      path,
      (fd) => {
        if (fs.size(fd) !== size) throw new Error(`${path} was changed by somebody else.`);
        appendTo(fs, fd, bytes, size);
      },
      'r+',
    ),
  );
  return bytes.length;
}

function appendTo(fs: FileSystem, fd: number, bytes: Buffer, size: number): void {
  try {
    writeFully(fs, fd, bytes, size);
    fs.fdatasync(fd);
  } catch (error) {
    // A reader skips a torn last line.
    orNull(() => fs.ftruncate(fd, size));
    throw error;
  }
}
