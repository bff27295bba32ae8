/**
 * What a complete rewrite of a file drops from the earlier text: definitions that the file's language can
 * name, and lines if at least a fifth of them would go. Pure.
 */
import { functionsIn } from '../../languages/files/functions.ts';
import { definesSomething, isCodePath, languageOf } from '../../languages/languages.ts';

/** In a shorter text a fifth is a single line, which any change may drop. */
const MIN_LINES = 10;
const NAMES_SAID = 5;
/** No more files are searched for code that was moved. */
const MAX_IMPORTS = 100;

/** The text of another file; `null` if it cannot be read as text. */
export type TextOf = (path: string) => string | null;

/** Further information about a file that is to be written. */
export interface LossLooks {
  readonly textOf?: TextOf;
  /** True for a word that the goal contains. */
  readonly isNamed?: ((word: string) => boolean) | undefined;
}

/**
 * Worded to follow "it drops": `add, sub and 12 of 40 lines`; `null`: not much. A function that the new content
 * imports unchanged from another file was moved, not lost. A name that the goal mentions together with its
 * replacement is not lost either.
 */
export function droppedText(
  path: string,
  before: string,
  after: string,
  { textOf = () => null, isNamed = () => false }: LossLooks = {},
): string | null {
  const { definedNames, imports } = languageOf(path);
  const [was, is] = [definedNames?.(before) ?? [], definedNames?.(after) ?? []];
  const away = was.filter((name) => !is.includes(name));
  const inGoal = (name: string): boolean => /^\w+$/.test(name) && isNamed(name);
  const places = is.filter((name) => !was.includes(name) && inGoal(name)).length;
  const renamed = new Set(away.filter(inGoal).slice(0, places));
  const dropped = away.filter((name) => !renamed.has(name));
  // A file that imports itself would find its own old text. Some systems treat `A` and `a` as one name.
  const isOther = (file: string): boolean => file.toLowerCase() !== path.toLowerCase();
  const imported = dropped.length === 0 ? [] : (imports?.(path, after) ?? []);
  const others = imported.filter(isOther).slice(0, MAX_IMPORTS);
  const elsewhere = others.map((other) => new Set(trimmed((textOf(other) ?? '').split('\n'))));
  const [lostNames, used] = [new Set(dropped), new Set(after.match(/[\w$]+/g))];
  const old = before.split('\n');
  // A function is compared without its first line, which may have become an export.
  const moved = functionsIn(path, before)
    .filter(({ name }) => lostNames.has(name) && used.has(name))
    .map(({ name, from, to }) => ({ name, lines: trimmed(old.slice(from, to)) }))
    .filter(
      ({ lines }) =>
        lines.length > 0 && elsewhere.some((there) => lines.every((line) => there.has(line))),
    );
  const stays = new Set(moved.map(({ name }) => name));
  const names = dropped.filter((name) => !stays.has(name));
  const gone =
    filledLines(before) -
    filledLines(after) -
    moved.reduce((sum, { lines }) => sum + lines.length + 1, 0);
  const filled = filledLines(before);
  if (becomesProgram(path, before, after)) return 'all that was in it';
  const isMuch = filled >= MIN_LINES && gone * 5 >= filled;
  const lost = [...listed(names), ...(isMuch ? [`${gone} of ${filled} lines`] : [])];
  return lost.length === 0 ? null : joined(lost);
}

const trimmed = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.trim() || []);

/**
 * True for prose or data of which no line is left and that code replaced: the wrong file name was used.
 * Translating, sorting or rewriting a text produces no definitions, and adding code keeps at least one line.
 */
function becomesProgram(path: string, before: string, after: string): boolean {
  if (isCodePath(path) || before.trim() === '') return false;
  const kept = new Set(after.split('\n').map((line) => line.trim()));
  const isKept = (line: string): boolean => line.trim() !== '' && kept.has(line.trim());
  const isCode = (text: string): boolean => definesSomething(text) || isMostlyStatements(text);
  return !before.split('\n').some(isKept) && !isCode(before) && isCode(after);
}

const STATEMENT =
  /^\s*(?:import |from \S+ import |#!|(?:const|let|var|return|raise|throw|await) |(?:def|class|function|for|if|elif|else|while|with|try|except)\b.*[:{]\s*$|[\w.[\]'"]+ ?[-+*/]?= ?\S|[\w.]+\(.*\);?\s*$|[{}]+;?\s*$)/;

/** Counts lines that are not comments. */
function isMostlyStatements(text: string): boolean {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|\/\/|$)/.test(line));
  return lines.filter((line) => STATEMENT.test(line)).length * 2 > lines.length;
}

const filledLines = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '').length;

const listed = (names: readonly string[]): readonly string[] =>
  names.length <= NAMES_SAID
    ? names
    : [...names.slice(0, NAMES_SAID), `${names.length - NAMES_SAID} more names`];

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
