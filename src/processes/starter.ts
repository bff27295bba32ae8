/**
 * A program that does not begin before it is told to: a fixed line of the system's shell waits for
 * one byte on a descriptor of its own and then becomes the program.
 * 1. The program's name and arguments are arguments of the shell; it never reads them as words.
 * 2. Whoever dies before the byte is sent closes the descriptor: its end means "never", and nothing
 *    has run.
 * 3. Process, group, session, folder and the three streams are those of the program from the start;
 *    the descriptor is closed in it.
 * 4. Of the environment the shell's own PWD, OLDPWD and SHLVL do not go on. Only bash (SHLVL) and
 *    the Korn shells (_) add one that no line can take away.
 */

import type { OperatingSystem } from './operating-system.ts';
import { pathsOf } from './programs/search-path.ts';

/** How the shell calls itself where it complains. */
const NAME = 'agent-start';
/** The descriptor behind stdin, stdout and stderr. */
export const GATE = 3;
const NEVER_BEGAN = 125;
const LINE = [
  `IFS= read -r go <&${GATE} || exit ${NEVER_BEGAN}`,
  `exec ${GATE}<&-`,
  'unset go PWD OLDPWD SHLVL',
  'exec "$@"',
].join('; ');

/** Lines that a file names its interpreter in are read so far. */
const FIRST_LINE_BYTES = 256;
/** An interpreter may be a script with one of its own, so often. */
const MOST_INTERPRETERS = 4;

export interface Starter {
  /** What is spawned in the place of a program. */
  commandFor(file: string, args: readonly string[]): { file: string; args: string[] };
  /** The error code with which the system would refuse to run `file`; '' where it would not. */
  refusal(file: string, cwd: string): string;
  /** What the shell said when it could not become `file`; `null` when `file` was run. */
  complaint(file: string, exitCode: number | null, output: string): string | null;
}

/** `null` where the system has no such shell: programs begin when they are spawned. */
export function starterOf(system: OperatingSystem, shell = '/bin/sh'): Starter | null {
  if (system.platform === 'win32' || system.whyNotRunnable(shell) !== '') return null;
  return {
    commandFor: (file, args) => ({ file: shell, args: ['-c', LINE, NAME, file, ...args] }),
    refusal: (file, cwd) => refusalOf(file, cwd, system),
    complaint: complaintOf,
  };
}

/** A shell has words of its own for what the system answers: what can be foreseen is not tried. */
function refusalOf(file: string, cwd: string, system: OperatingSystem, depth = 0): string {
  const code = system.whyNotRunnable(file);
  if (code !== '' || depth === MOST_INTERPRETERS) return code;
  const interpreter = /^#![ \t]*([^ \t\n]+)/.exec(system.head(file, FIRST_LINE_BYTES))?.[1];
  if (interpreter === undefined) return '';
  const { resolve } = pathsOf(system.platform);
  return refusalOf(resolve(cwd, interpreter), cwd, system, depth + 1);
}

/** 126 and 127 are what shells end with that cannot run something. */
function complaintOf(file: string, exitCode: number | null, output: string): string | null {
  if (exitCode !== 126 && exitCode !== 127) return null;
  const words = new RegExp(`^(?:E: )?${NAME}: (.*)`).exec(output)?.[1];
  return words?.includes(file) ? words : null;
}
