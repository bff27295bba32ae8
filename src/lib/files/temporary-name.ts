/** The names of temporary files that are written beside their destination. Pure. */
import { createHash } from 'node:crypto';

/** The suffix of a file before it gets its name; leftovers are recognised and removed by it. */
export const TEMPORARY_SUFFIX = '.agent.tmp';

/** The most bytes that file systems allow in a name. */
const LONGEST_NAME = 255;

/** A separate name beside each file, always the same, and never longer than names may be. */
export function temporaryOf(path: string): string {
  const at = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
  const name = path.slice(at);
  if (Buffer.byteLength(name) + TEMPORARY_SUFFIX.length <= LONGEST_NAME)
    return path + TEMPORARY_SUFFIX;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return path.slice(0, at) + mark + TEMPORARY_SUFFIX;
}
