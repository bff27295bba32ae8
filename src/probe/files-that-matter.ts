/** Which files of a folder matter for a goal, the most important first. Pure except for `FilesView`. */

import { namedFiles } from '../languages/files/named-files.ts';
import { isManifest, isTestPath } from '../languages/languages.ts';
import { sameFile } from './named-facts.ts';

export interface FilesView {
  /** Files of the workspace, relative with `/`. */
  readonly files: readonly string[];
  exists(path: string): boolean;
  size(path: string): number | null;
  readText(path: string): string | null;
}

/** A larger file is seldom what a goal is about, unless the goal names it. */
const SMALL_BYTES = 16 * 1024;
const MAX_READ = 60;
const MAX_RELATED = 12;

/** Files named in the goal, manifests, tests, then small files, most similar first; each once. */
export function filesThatMatter(goal: string, looks: FilesView): readonly string[] {
  const { files } = looks;
  return [
    ...new Set([
      ...filesNamed(goal, looks),
      ...files.filter(isManifest),
      ...files.filter(isTestPath),
      ...related(goal, looks),
    ]),
  ];
}

/** The list of a large folder may lack a file that exists. */
export function filesNamed(goal: string, looks: Omit<FilesView, 'readText'>): readonly string[] {
  const named = namedFiles(goal, (path) => looks.exists(path));
  return named.flatMap((name) => [
    ...(looks.size(name) === null ? [] : [name]),
    ...looks.files.filter(sameFile(name)),
  ]);
}

export const isNamedInGoal = (
  goal: string,
  path: string,
  looks: Pick<FilesView, 'exists'>,
): boolean => namedFiles(goal, (one) => looks.exists(one)).some((name) => sameFile(name)(path));

/** Small files; those that share the most words with the goal come first. */
function related(goal: string, { files, size, readText }: FilesView): readonly string[] {
  const wanted = longWords(goal);
  const small: string[] = [];
  for (const file of files) {
    if (small.length >= MAX_READ) break;
    if ((size(file) ?? SMALL_BYTES + 1) <= SMALL_BYTES) small.push(file);
  }
  return small
    .map((file) => ({
      file,
      shared: sharedWords(wanted, longWords(`${file}\n${readText(file) ?? ''}`)),
    }))
    .sort((one, other) => other.shared - one.shared)
    .slice(0, MAX_RELATED)
    .map(({ file }) => file);
}

/** Words of four characters or more. A class of all letters is slow to compile, and most texts need none. */
const wordsIn = (text: string): readonly string[] =>
  (/^[\s!-~]*$/.test(text)
    ? text.match(/[a-z_]\w{3,}/gi)
    : text.match(/[\p{L}_][\p{L}\p{N}_]{3,}/gu)) ?? [];

export const longWords = (text: string): ReadonlySet<string> =>
  new Set(wordsIn(text).map((word) => word.toLowerCase()));

export const sharedWords = (one: ReadonlySet<string>, other: ReadonlySet<string>): number =>
  [...one].filter((word) => other.has(word)).length;
