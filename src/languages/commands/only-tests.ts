/** Test runs among commands, by the program that runs. Pure. */

import { LANGUAGES } from '../languages.ts';
import { runsTests } from '../testing/test-runs.ts';
import { languageUnwraps, plainCommandName } from './allowed-commands.ts';

/**
 * True where a program that is known to run tests does so, also by a program that runs programs.
 * That a runner is named somewhere does not do: an installer and the text of an option name it too.
 */
export function onlyTests(words: readonly string[]): boolean {
  const [program = '', ...args] = words;
  const name = plainCommandName(program);
  const inner = Object.hasOwn(languageUnwraps, name) ? languageUnwraps[name]?.(args) : null;
  if (inner) return inner.words.length < words.length && onlyTests(inner.words);
  const command = args.find((arg) => !arg.startsWith('-')) ?? '';
  if (isInstaller(name, args) && !runsTests(command)) return false;
  const isKnown = runsTests(name) || isInstaller(name, []) || isLanguagesOwn(name);
  return isKnown && runsTests([name, ...args.filter((arg) => !/\s/.test(arg))].join(' '));
}

const isInstaller = (name: string, args: readonly string[]): boolean =>
  LANGUAGES.some(({ commands }) => commands?.installs?.(name, args) === true);

const isLanguagesOwn = (name: string): boolean =>
  LANGUAGES.some(({ commands }) => Object.hasOwn(commands?.rules ?? {}, name));
