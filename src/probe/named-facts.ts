/** What became of the files that a goal names, by what a run did and what is on disk. Pure. */
import path from 'node:path';
import type { NamedFact } from '../schema/evidence.ts';

/** What a run did, according to its journal. */
export interface JournalledFacts {
  /** Files that the run changed, with the hash of the earlier content; `null`: there was no file. */
  readonly changes: readonly { readonly path: string; readonly before: string | null }[];
  /** Files whose content the run knows. */
  readonly known: readonly string[];
  readonly commands: readonly string[];
  /** The current texts of the files that the run changed. */
  readonly written: readonly string[];
}

export interface Disk {
  isThere(path: string): boolean;
  /** True for a file that anyone has written since the run began. */
  isNew(path: string): boolean;
  /** Files of the workspace, relative with `/`. */
  readonly files: readonly string[];
}

/**
 * `used` needs more than a look: a text or a command of the run must name the file. A comment can do that
 * too, so it is no proof of use; but a file that nothing names was not used.
 */
export function namedFact(
  named: string,
  { doings, disk }: { doings: JournalledFacts; disk: Disk },
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

/** A name without folders matches in any folder; a folder matches everything below it. */
export function sameFile(named: string): (file: string) => boolean {
  const wanted = named.toLowerCase();
  if (wanted.endsWith('/')) return (file) => `/${file.toLowerCase()}`.includes(`/${wanted}`);
  return (file) => `/${file.toLowerCase()}`.endsWith(`/${wanted}`);
}

const isMentioned = ({ commands, written }: JournalledFacts, named: string): boolean =>
  isNamedIn([...commands, ...written], named);

/** True if a text has the file's name, or, as imports do, the name without its ending. */
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
