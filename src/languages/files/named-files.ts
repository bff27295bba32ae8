/** The words of a goal that mean a file. Pure, except for the look whether a file exists. */
import { LANGUAGES } from '../languages.ts';
import { text } from '../text/text.ts';

const MAX_NAMED = 40;
/** White space, marks around a name, and the punctuation of scripts that write no space around it. */
const SEPARATORS = /(?:[\s`"'[\]{}<>,;|]|(?=\P{ASCII})\p{P})+/u;
/** In such a script a word may continue right after a file extension, or stand right before a name. */
const GOES_ON = /(?<=\.[A-Za-z][A-Za-z0-9]{0,9})(?=\p{Lo})/u;
const WORDS_BEFORE = /^([^/]*[\p{Lo}\p{Lm}\p{M}])([A-Za-z_.].*)$/su;
/** `or.` at the end of a sentence, `file.txt:` before more text, the `(` of `(see a.txt)`. */
const AROUND = /^[(:=]+|[.:!?)]+$/g;
/** Addresses, options, patterns, and calls: `json.load(`. */
const NO_FILE = /:\/\/|@|^www\.|^-|[*?=&$#%(]/;
const WITH_ENDING = /[^./\\]\.([A-Za-z][A-Za-z0-9]{0,9})$/;
/** `Makefile`, `LICENSE`, `.gitignore`: a conventional file name, if the file exists. */
const BY_CUSTOM = /^(?:[A-Z][a-z]+file|[A-Z]{4,}|\.[a-z]{2,}[\w.-]*)$/;

/**
 * Paths as the goal writes them, with `/`, each once, at most 40: names with a file extension, folders with a slash at
 * their end, and existing files without an extension.
 */
export function namedFiles(goal: string, isThere: (path: string) => boolean): readonly string[] {
  const words = goal
    .split(SEPARATORS)
    .flatMap((word) => word.split(GOES_ON))
    .map((word) => word.replaceAll(AROUND, '').replaceAll('\\', '/').replace(/^\.\//, ''))
    .map((word) => withoutWordsBefore(word, isThere))
    .filter((word) => word !== '' && !NO_FILE.test(word));
  const named = words.filter((word) => meansFile(word) || (mayBeThere(word) && isThere(word)));
  return [...new Set(named)].slice(0, MAX_NAMED);
}

/**
 * Drops words before a name, unless a file of the whole name exists: its name may begin with such letters.
 */
function withoutWordsBefore(word: string, isThere: (path: string) => boolean): string {
  const [, words = '', name = ''] = WORDS_BEFORE.exec(word) ?? [];
  if (!meansFile(name)) return word;
  const letters = [...words];
  return letters.map((_, at) => letters.slice(at).join('') + name).find(isThere) ?? name;
}

function meansFile(word: string): boolean {
  if (/^[\w.-][\w./-]*\/$/.test(word)) return true;
  const ending = WITH_ENDING.exec(word)?.[1];
  return ending !== undefined && (isFileEnding(ending) || isOwned(word)) && !isProduct(word);
}

const mayBeThere = (word: string): boolean => word.includes('/') || BY_CUSTOM.test(word);

const isOwned = (word: string): boolean =>
  LANGUAGES.some((language) => language !== text && language.owns(word));

/** Product names that look like files: `Node.js`. */
const isProduct = (word: string): boolean =>
  LANGUAGES.some(({ products }) => products?.includes(word.toLowerCase()) === true);

/** Extensions that no language here owns, and that mean a file when a person writes one. */
const ENDINGS = new Set(
  (
    'txt md markdown rst adoc tex csv tsv jsonl ndjson xml html htm css scss less svg yaml yml toml ini cfg conf env ' +
    'properties lock log sql db sqlite sqlite3 dat proto graphql ipynb vue svelte ' +
    'sh bash zsh ps1 bat cmd rb rs java kt swift c h cc cpp hpp cs php pl lua r ' +
    'pdf docx xlsx png jpg jpeg gif webp ico zip tar gz wav mp3'
  ).split(' '),
);

const isFileEnding = (ending: string): boolean => ENDINGS.has(ending.toLowerCase());
