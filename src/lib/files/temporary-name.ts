/** The names of files that are written beside another one. Pure. */
import { createHash } from 'node:crypto';

/** The suffix of a file before it gets its name; leftovers are recognised and removed by it. */
export const TEMPORARY_SUFFIX = '.agent.tmp';

/** The most bytes that file systems allow in a name. */
const LONGEST_NAME = 255;

/** A separate name beside each file, always the same, and never longer than names may be. */
export function temporaryOf(path: string): string {
  const at = nameAt(path);
  const name = path.slice(at);
  if (Buffer.byteLength(name) + TEMPORARY_SUFFIX.length <= LONGEST_NAME)
    return path + TEMPORARY_SUFFIX;
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return path.slice(0, at) + mark + TEMPORARY_SUFFIX;
}

/** The path with the ending; the name is cut where both together would be longer than names may be. */
export function withEnding(path: string, ending: string): string {
  const at = nameAt(path);
  const name = [...path.slice(at)];
  while (name.length > 1 && Buffer.byteLength(name.join('') + ending) > LONGEST_NAME) name.pop();
  return path.slice(0, at) + name.join('') + ending;
}

const nameAt = (path: string): number =>
  Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
