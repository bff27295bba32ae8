/** The names of files that are written beside another one. */
import { randomBytes } from 'node:crypto';
import { sha256 } from '../sha256.ts';

/** The suffix of a file before it gets its name; leftovers are recognised and removed by it. */
export const TEMPORARY_SUFFIX = '.agent.tmp';

/** The most bytes that file systems allow in a name. */
const LONGEST_NAME = 255;

/**
 * A name beside a file, always the same for that file, and never too long: for the holder of the file's lock,
 * who finds it again after a kill.
 */
export const temporaryOf = (path: string): string => besides(path, TEMPORARY_SUFFIX);

/** A name that nobody else uses, for a file that several processes may write at once. */
export const newTemporaryOf = (path: string): string =>
  besides(path, `.${randomBytes(8).toString('hex')}${TEMPORARY_SUFFIX}`);

/** True if one of these two functions gives the name, in the folder of the file. */
export function isTemporaryOf(path: string, name: string): boolean {
  const stem = name.replace(/(?:\.[0-9a-f]{16})?\.agent\.tmp$/, '');
  const own = path.slice(nameAt(path));
  return stem !== name && (stem === own || stem === markOf(own));
}

function besides(path: string, ending: string): string {
  const at = nameAt(path);
  const name = path.slice(at);
  if (Buffer.byteLength(name) + ending.length <= LONGEST_NAME) return path + ending;
  return path.slice(0, at) + markOf(name) + ending;
}

const markOf = (name: string): string => sha256(name).slice(0, 16);

/** The path with the ending; the name is cut where both together would be longer than names may be. */
export function withEnding(path: string, ending: string): string {
  const at = nameAt(path);
  const name = [...path.slice(at)];
  while (name.length > 1 && Buffer.byteLength(name.join('') + ending) > LONGEST_NAME) name.pop();
  return path.slice(0, at) + name.join('') + ending;
}

const nameAt = (path: string): number =>
  Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1;
