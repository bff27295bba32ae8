/** Pure: the parts of hints that are the same in every language. */
import type { CommandSeen, KnownNames } from './command-seen.ts';

/** @param asked what the program printed before it wanted input, `null` when it did not. */
export function inputHint({ stdinGiven }: CommandSeen, asked: string | null): string | null {
  if (asked === null) return null;
  return stdinGiven
    ? 'The program asks for more input than stdin gave. Give one line for each question, and last the one that ends the program.'
    : 'The program asks for input. Run it again with stdin: one line for each question, and last the one that ends the program.';
}

/** The file that a program was given to run. */
export const scriptIn = (args: readonly string[]): string | undefined =>
  args.find((arg) => !arg.startsWith('-'));

const SILENCE = 'It printed nothing. If it should: ';

/**
 * Of a script that ended well and printed nothing; one that defines functions may call none of them.
 * @param taken where it finds what it was called with, where it was called with something
 */
export function silenceHint(
  file: string | undefined,
  { definitions }: KnownNames,
  taken?: string,
): string {
  if (taken !== undefined && file !== undefined)
    return `${SILENCE}at its end ${baseName(file)} must take what it was called with from ${taken}, call what works it out, and print the result.`;
  const names = definitions
    .filter((one) => file !== undefined && baseName(one.file) === baseName(file))
    .map(({ name }) => name)
    .filter((name) => name !== name.toUpperCase());
  const name = names.includes('main') ? 'main' : names.at(-1);
  return name === undefined
    ? `${SILENCE}the file must call its main function at its end and print the result.`
    : `${SILENCE}the last line of ${baseName(file ?? '')} must be a call, such as ${name}(), and what it calls must print the result.`;
}

/** Of a program file that was to be run. */
export function missingFileHint(file: string, known: KnownNames): string {
  const name = baseName(file);
  const elsewhere = known.files.filter((path) => baseName(path) === name);
  return elsewhere.length > 0
    ? `${name} is not there, but ${elsewhere.join(' and ')} is.`
    : `${name} does not exist. Write it first, or name a file that exists.`;
}

/** The one file of the language that defines the name: two would make a guess. */
export function homeOf(
  name: string,
  known: KnownNames,
  owns: (path: string) => boolean,
): string | null {
  const homes = known.definitions.filter((each) => each.name === name && owns(each.file));
  const files = [...new Set(homes.map(({ file }) => file))];
  return files.length === 1 ? (files[0] ?? null) : null;
}

export const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path;

/** @param otherwise behind the standard library: what can be written in its place */
export const notHere = (name: string, otherwise: string, { mayInstall }: KnownNames): string =>
  mayInstall === true
    ? `There is no ${name} here. Where the goal needs it, install it (a person may have to allow that); else use the standard library.`
    : `There is no ${name} here and nothing can be installed. Use the standard library${otherwise}.`;
