/** Pure: recognises test runs among commands, by the program that runs. */
import { LANGUAGES } from '../languages.ts';
import { testCommandOf } from '../testing/test-programs.ts';

/** True if the words of a command run tests and nothing else, as far as the tables of programs say. */
export const onlyTests = (words: readonly string[]): boolean => testCommandOf(words, true) !== null;

/** True for a program with which some language runs, builds or tests code. */
export const isLanguagesOwn = (name: string): boolean =>
  LANGUAGES.some(({ commands }) => Object.hasOwn(commands?.rules ?? {}, name));
