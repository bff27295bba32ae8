/** Which files of a folder matter for a goal, the first ones most. Pure but for the looks it is given. */
import { isManifest, isTestPath } from '../languages/languages.ts';
import { namedFiles } from '../languages/named-files.ts';

export interface Looks {
  /** Files of the workspace, relative with `/`. */
  readonly files: readonly string[];
  exists(path: string): boolean;
  size(path: string): number | null;
  readText(path: string): string | null;
}

/** Of a file that the goal does not name; larger ones are seldom what it is about. */
const SMALL_BYTES = 16 * 1024;
const MAX_READ = 60;
const MAX_RELATED = 12;
/** So many different words of a goal in a text are no chance. */
const LEAST_SHARED = 2;

/** Named in the goal, manifests, tests, then small files that share words with it; each once. */
export function filesThatMatter(goal: string, looks: Looks): readonly string[] {
  const { files } = looks;
  const named = namedFiles(goal, (path) => looks.exists(path));
  return [
    ...new Set([
      // In a large folder a file may be there that the list does not hold.
      ...named.flatMap((name) => [
        ...(looks.size(name) === null ? [] : [name]),
        ...files.filter(isMeantBy(name)),
      ]),
      ...files.filter(isManifest),
      ...files.filter(isTestPath),
      ...related(goal, looks),
    ]),
  ];
}

export const isNamed = (goal: string, path: string, looks: Pick<Looks, 'exists'>): boolean =>
  namedFiles(goal, (one) => looks.exists(one)).some((name) => isMeantBy(name)(path));

/** A name without its folders may stand anywhere; a folder is everything below it. */
function isMeantBy(name: string): (file: string) => boolean {
  const wanted = `/${name.toLowerCase()}`;
  return name.endsWith('/')
    ? (file) => `/${file.toLowerCase()}`.includes(wanted)
    : (file) => `/${file.toLowerCase()}`.endsWith(wanted);
}

/** The most shared words first; a word of the file's own name counts as much as any two of its text. */
function related(goal: string, { files, size, readText }: Looks): readonly string[] {
  const wanted = new Set(wordsOf(goal).filter((word) => !COMMON.has(word)));
  const small: string[] = [];
  for (const file of files) {
    if (small.length >= MAX_READ) break;
    if ((size(file) ?? SMALL_BYTES + 1) <= SMALL_BYTES) small.push(file);
  }
  const scored = small.map((file) => {
    const inName = shared(wanted, wordsOf(file.slice(file.lastIndexOf('/') + 1)));
    return { file, score: inName * LEAST_SHARED + shared(wanted, wordsOf(readText(file) ?? '')) };
  });
  return scored
    .filter(({ score }) => score >= LEAST_SHARED)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_RELATED)
    .map(({ file }) => file);
}

const shared = (wanted: ReadonlySet<string>, words: readonly string[]): number =>
  new Set(words.filter((word) => wanted.has(word))).size;

/** `parseDate`, `parse_date` and `dates` share their parts; short words tell nothing. */
function wordsOf(text: string): readonly string[] {
  const parts =
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/\p{L}{3,}/gu) ?? [];
  return parts.map((part) => (part.length > 3 ? part.replace(/s$/, '') : part));
}

/** Words that goals and files have whatever they are about. */
const COMMON = new Set(
  wordsOf(
    'the and for that this with from into are was not all any but has have its out one two new must should can ' +
      'will when what which then than each every only also use uses used using file folder program script code ' +
      'write read create make add change print show test function return class import export def const let value ' +
      'name line text data string number list fix bug error work run',
  ),
);
