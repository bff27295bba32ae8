/** What became of the files that a goal names, by what a run did and what is on disk. Pure. */
import path from 'node:path';
import type { NamedFact } from '../schema/evidence.ts';

/** What a run did, by its journal. */
export interface RunFacts {
  /** Files that its tools wrote or removed, with what they found: `null`, there was none. */
  readonly changes: readonly { readonly path: string; readonly before: string | null }[];
  /** Files that it read or wrote, with what they hold now. */
  readonly known: readonly string[];
  readonly commands: readonly string[];
  /** What its own files say now. */
  readonly written: readonly string[];
}

export interface Disk {
  isThere(path: string): boolean;
  /** True for a file that was written since the run began, by whomever. */
  isNew(path: string): boolean;
  /** Files of the workspace, relative with `/`. */
  readonly files: readonly string[];
}

/**
 * `used` needs more than a look: what the run wrote or ran has to name the file. A comment can do that too, so it is no proof; that nothing names it is one of
 * the opposite.
 */
export function namedFact(
  named: string,
  { doings, disk }: { doings: RunFacts; disk: Disk },
): NamedFact {
  const isIt = sameFile(named);
  const changed = doings.changes.find((change) => isIt(change.path));
  const isThere = disk.isThere(named) || disk.files.some(isIt);
  const seen = doings.known.some(isIt);
  if (!isThere) return { path: named, became: changed || seen ? 'removed' : 'not_known' };
  if (changed) return { path: named, became: changed.before === null ? 'made' : 'changed' };
  if (disk.files.some((file) => isIt(file) && disk.isNew(file)))
    return { path: named, became: 'changed' };
  return { path: named, became: isMentioned(doings, named) ? 'used' : 'not_known' };
}

/** A name without folders may stand anywhere; a folder is everything below it. */
export function sameFile(named: string): (file: string) => boolean {
  const wanted = named.toLowerCase();
  if (wanted.endsWith('/')) return (file) => `/${file.toLowerCase()}`.includes(`/${wanted}`);
  return (file) => `/${file.toLowerCase()}`.endsWith(`/${wanted}`);
}

const isMentioned = ({ commands, written }: RunFacts, named: string): boolean =>
  isNamedIn([...commands, ...written], named);

/** By its name, or, as imports do, by its name without the ending. */
function isNamedIn(texts: readonly string[], named: string): boolean {
  const { base, name } = path.posix.parse(named);
  return texts.some((text) => text.includes(base) || (name.length > 2 && hasWord(text, name)));
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const around = `${text[at - 1] ?? ' '}${text[at + word.length] ?? ' '}`;
    if (/^[^\w-]{2}$/.test(around)) return true;
  }
  return false;
}
