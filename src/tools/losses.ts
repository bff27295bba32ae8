/**
 * What a whole new content of a file leaves out of the text that was there: definitions that the
 * language of the file can name, and lines where a fifth of them or more would go. Pure.
 */
import { type FunctionLines, functionsIn } from '../languages/functions.ts';
import { definesSomething, isCodePath, languageOf } from '../languages/languages.ts';

/** A fifth of fewer lines than these is one line, which any change may drop. */
const LEAST_LINES = 10;
const NAMES_SAID = 5;

/** The text of another file; `null` for what cannot be read as one. */
export type TextOf = (path: string) => string | null;

/**
 * In words that follow on "it drops": `add, sub and 12 of 40 lines`; `null`: not much. A function that
 * the new content takes from another file, where it stands as it was, has moved and is not lost.
 */
export function lossesOf(
  path: string,
  before: string,
  after: string,
  textOf: TextOf = () => null,
): string | null {
  const { definedNames, imports } = languageOf(path);
  const kept = new Set(definedNames?.(after));
  const dropped = definedNames?.(before).filter((name) => !kept.has(name)) ?? [];
  const others =
    dropped.length === 0 ? [] : (imports?.(path, after) ?? []).flatMap((one) => textOf(one) ?? []);
  const functions = functionsIn(path, before).filter(({ name }) => dropped.includes(name));
  const moved = functions.filter(
    (one) => hasWord(after, one.name) && others.some((text) => holds(text, bodyOf(before, one))),
  );
  const names = dropped.filter((name) => !moved.some((one) => one.name === name));
  const gone =
    filledLines(before) -
    filledLines(after) -
    moved.reduce((sum, one) => sum + bodyOf(before, one).length + 1, 0);
  const lines = filledLines(before);
  if (becomesProgram(path, before, after)) return 'all that was in it';
  const isMuch = lines >= LEAST_LINES && gone * 5 >= lines;
  const lost = [...listed(names), ...(isMuch ? [`${gone} of ${lines} lines`] : [])];
  return lost.length === 0 ? null : joined(lost);
}

const trimmedLines = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => line.trim() || []);

/** Without its head, which may be exported now. */
const bodyOf = (text: string, { from, to }: FunctionLines): readonly string[] =>
  trimmedLines(text.split('\n').slice(from, to).join('\n'));

const holds = (text: string, lines: readonly string[]): boolean => {
  const there = new Set(trimmedLines(text));
  return lines.length > 0 && lines.every((line) => there.has(line));
};

const hasWord = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`).test(text);

/**
 * Prose or data of which no line is left, and code in its place: then a name was mistaken. Whoever
 * translates, sorts or rewrites a text writes no definitions, and whoever adds code keeps a line.
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

/** Of its lines that are no comments. */
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
