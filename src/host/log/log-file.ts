/** A file to which one line of JSON is appended per event. */

import { misuse } from '../../lib/errors.ts';
import { errorCode, writeFully } from '../../lib/files/durable-files.ts';
import type { FileSystem } from '../../lib/files/file-system.ts';

export interface LogFileOptions {
  readonly fs: FileSystem;
  /** Called once, when the file accepts no more. */
  readonly warn: (text: string) => void;
  /** As the user named it. */
  readonly displayName: string;
}

/**
 * A new file is readable only by its user (0600); existing content stays. Throws E_USAGE if it cannot be
 * written. A later failure ends only the log, and is reported once.
 */
export function openLogFile(path: string, { fs, warn, displayName }: LogFileOptions) {
  let fd: number | null = null;
  try {
    fd = fs.open(path, 'a', 0o600);
  } catch (error) {
    throw misuse(
      `The log ${displayName} cannot be written to (${errorCode(error)}).`,
      'Give a file in a folder that exists and that you may write to.',
    );
  }
  const close = (): void => {
    if (fd !== null) fs.close(fd);
    fd = null;
  };
  return {
    close,
    write: (record: unknown): void => {
      if (fd === null) return;
      try {
        writeFully(fs, fd, Buffer.from(`${JSON.stringify(record)}\n`), fs.size(fd));
      } catch (error) {
        warn(`The log ${displayName} takes no more (${errorCode(error)}); it ends here.`);
        close();
      }
    },
  };
}
