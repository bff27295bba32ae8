/** Pure: recognises test runs among commands, by the program that runs. */

import { own } from '../../lib/own.ts';
import { cargoRunsTests } from '../builds/cargo-tests.ts';
import { isTestPath, LANGUAGES, runsAsCode } from '../languages.ts';
import { runsTests } from '../testing/test-runs.ts';
import { isInterpreter, languageUnwraps, plainCommandName } from './allowed-commands.ts';

/**
 * True if a known test runner runs tests, even through a program that runs programs. A runner's name elsewhere is not
 * enough: an installer or the text of an option may contain it.
 */
export function onlyTests(words: readonly string[]): boolean {
  const [program = '', ...args] = words;
  const name = plainCommandName(program);
  const inner = own(languageUnwraps, name)?.(args);
  if (inner) return inner.words.length < words.length && onlyTests(inner.words);
  if (cargoRunsTests([name, ...args].join(' '))) return true;
  const command = args.find((arg) => !arg.startsWith('-')) ?? '';
  if (isInstaller(name, args) && !runsTests(command)) return false;
  // A program's own words say nothing: it may be given tests to change.
  const at = isInterpreter(name)
    ? args.findIndex((arg) => !arg.startsWith('-') && runsAsCode(arg))
    : -1;
  if (at >= 0)
    return isTestPath(args[at] ?? '') || runsTests([name, ...args.slice(0, at)].join(' '));
  const isKnown = runsTests(name) || isInstaller(name, []) || isLanguagesOwn(name);
  return isKnown && runsTests([name, ...args.filter((arg) => !/\s/.test(arg))].join(' '));
}

const isInstaller = (name: string, args: readonly string[]): boolean =>
  LANGUAGES.some(({ commands }) => commands?.installs?.(name, args) === true);

/** True for a program that some language runs, builds or tests with. */
export const isLanguagesOwn = (name: string): boolean =>
  LANGUAGES.some(({ commands }) => Object.hasOwn(commands?.rules ?? {}, name));
