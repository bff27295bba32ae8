/** The names of files that are written beside the place they are for. Pure. */
import { createHash } from 'node:crypto';

/** Where a file is written before it takes its name; leftovers are swept by this ending. */
export const TEMPORARY_SUFFIX = '.agent.tmp';

/** Bytes that file systems allow a name. */
const LONGEST_NAME = 255;

/** A name of its own beside each file, the same each time, never longer than a name may be. */
export function temporaryOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  const name = path.slice(at);
  if (Buffer.byteLength(name) + TEMPORARY_SUFFIX.length <= LONGEST_NAME)
    return path + TEMPORARY_SUFFIX;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return path.slice(0, at) + mark + TEMPORARY_SUFFIX;
}
