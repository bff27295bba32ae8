/** Pure: a folder at a glance: its folders with counts, and the files that show what it is. */
import { isManifest } from '../../languages/languages.ts';
import { namesFile } from '../../probe/names-file.ts';

/** Limits: files that are looked at, names that are listed, and characters in total. */
const MAX_FILES = 5_000;
const MAX_NAMES = 200;
const MAX_CHARS = 6_000;
/** Characters per token of the window: a small window is not filled with names. */
const CHARS_PER_TOKEN = 0.25;
const MAX_FOLDERS = 60;
const MAX_DEPTH = 3;

/** @param files the first names of a folder, sorted */
export function treeText(
  goal: string,
  files: (count: number) => readonly string[],
  window: number,
): string {
  const all = files(MAX_FILES + 1);
  if (all.length === 0) return 'The folder is empty.';
  const seen = all.slice(0, MAX_FILES);
  const room = Math.floor(Math.min(MAX_CHARS, window * CHARS_PER_TOKEN));
  const count = all.length > MAX_FILES ? `more than ${MAX_FILES}` : `${all.length}`;
  const folders = seen.length <= MAX_NAMES / 4 ? [] : foldersOf(seen);
  const inFolders = within(folders, room / 2);
  const names = within(namesOf(goal, seen).slice(0, MAX_NAMES), room - inFolders.join('').length);
  return [
    `FOLDER (${count} ${all.length === 1 ? 'file' : 'files'}):`,
    ...inFolders,
    ...names,
    ...(names.length < all.length
      ? [`and ${count === `${all.length}` ? all.length - names.length : 'many'} more files`]
      : []),
  ].join('\n');
}

/** The largest are kept, so that little is left out; they are listed in their order. */
function foldersOf(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const parts = file.split('/').slice(0, -1);
    for (let depth = 1; depth <= Math.min(parts.length, MAX_DEPTH); depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return [...counts]
    .sort((one, other) => other[1] - one[1] || byName(one[0], other[0]))
    .slice(0, MAX_FOLDERS)
    .sort((one, other) => byName(one[0], other[0]))
    .map(([folder, count]) => `${clean(folder)}/ ${count}`);
}

/** The files to list, in this order: files that the goal names, manifests, files at the top, the rest. */
function namesOf(goal: string, files: readonly string[]): readonly string[] {
  const isTop = (file: string): boolean => !file.includes('/');
  return [
    ...new Set([
      ...files.filter((file) => namesFile(goal, file)),
      ...files.filter(isManifest),
      ...files.filter(isTop),
      ...files,
    ]),
  ].map(clean);
}

function within(lines: readonly string[], room: number): readonly string[] {
  let left = room;
  const end = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** A name may contain line ends, and must not inject text with them. */
const clean = (name: string): string => name.replace(/\p{Cc}/gu, '?');

const byName = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
