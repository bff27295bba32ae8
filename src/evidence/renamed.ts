/** Finds changed tests whose only change is a consistent rename: `newName` wherever `oldName` stood. Pure. */
import { stands } from '../probe/names-file.ts';
import { isCode } from './work.ts';

/** A figure is not a word: a test with another figure is another test. */
const WORD = /(?<!\p{N})([\p{L}_$][\p{L}\p{N}_$]*)/u;

/** Which words were replaced, everywhere and one to one; `null`: the texts differ in other ways. */
export function replacedWords(before: string, now: string): ReadonlyMap<string, string> | null {
  const was = before.split(WORD);
  const is = now.split(WORD);
  const became = new Map<string, string>();
  if (was.length !== is.length) return null;
  for (const [index, part] of was.entries()) {
    const next = is[index] ?? '';
    const isWord = index % 2 === 1;
    if ((isWord ? (became.get(part) ?? next) : part) !== next) return null;
    if (isWord) became.set(part, next);
  }
  const areOthers = new Set(became.values()).size === became.size;
  return areOthers ? new Map([...became].filter(([from, to]) => from !== to)) : null;
}

interface Texts {
  readonly goal: string;
  /** Files of the workspace. */
  readonly files: readonly string[];
  readonly before: (path: string) => string | null;
  readonly now: (path: string) => string | null;
}

/**
 * Renames such as `HttpEvent for OldEvent`: these files differ by nothing else, no file here has the old
 * names any more, and the goal holds a new one. None otherwise. Whether the goal wants the old names gone
 * stays unknown.
 */
export function renamesIn(
  paths: readonly string[],
  { goal, files, before, now }: Texts,
): readonly string[] {
  const replaced = paths.map((path) => replacedWords(before(path) ?? '', now(path) ?? ''));
  if (paths.length === 0 || replaced.includes(null)) return [];
  const names = new Map(replaced.flatMap((words) => [...(words ?? [])]));
  const left = new Set(
    files.flatMap((path) => [path, isCode(path) ? (now(path) ?? '') : '']).flatMap(wordsIn),
  );
  const areGone = [...names.keys()].every((name) => !left.has(name));
  return areGone && [...names.values()].some((name) => stands(goal, name))
    ? [...names].map(([from, to]) => `${to} for ${from}`)
    : [];
}

const wordsIn = (text: string): readonly string[] =>
  text.split(WORD).filter((_, index) => index % 2 === 1);
