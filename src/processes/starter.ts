/**
 * Holds a program back until it is told to begin: a fixed line of the system's shell waits for one byte on an
 * extra descriptor and then becomes the program with exec.
 * 1. The program's name and arguments are arguments of the shell, which never interprets them.
 * 2. If the process that should send the byte dies, the descriptor closes; its end means "never", and nothing
 *    has run.
 * 3. Process, group, session, folder and the three streams are the program's from the start; the extra
 *    descriptor is closed in the program.
 * 4. The shell's own PWD, OLDPWD and SHLVL are removed from the environment. Only bash (SHLVL) and the Korn
 *    shells (_) add one that no line can remove.
 */

import { pathsOf } from '../lib/files/absolute-paths.ts';
import type { OperatingSystem } from './operating-system.ts';

/** The name that the shell uses for itself in error messages. */
const NAME = 'agent-start';
/** The descriptor after stdin, stdout and stderr. */
export const GATE_DESCRIPTOR = 3;
const NEVER_BEGAN = 125;
const LINE = [
  `IFS= read -r go <&${GATE_DESCRIPTOR} || exit ${NEVER_BEGAN}`,
  `exec ${GATE_DESCRIPTOR}<&-`,
  'unset go PWD OLDPWD SHLVL',
  'exec "$@"',
].join('; ');

/** How many bytes of a file are read for the line that names its interpreter. */
const FIRST_LINE_BYTES = 256;
/** An interpreter may itself be a script with an interpreter, to this depth. */
const MAX_INTERPRETERS = 4;

export interface Starter {
  /** What is spawned in place of a program. */
  commandFor(file: string, args: readonly string[]): { file: string; args: string[] };
  /** The error code with which the system would refuse to run `file`; empty if it would not. */
  refusal(file: string, cwd: string): string;
  /** What the shell printed when it could not exec `file`; `null` if `file` ran. */
  complaint(file: string, exitCode: number | null, output: string): string | null;
}

/** `null` if the system has no such shell: programs then begin when they are spawned. */
export function starterOf(system: OperatingSystem, shell = '/bin/sh'): Starter | null {
  if (system.platform === 'win32' || system.whyNotRunnable(shell) !== '') return null;
  return {
    commandFor: (file, args) => ({ file: shell, args: ['-c', LINE, NAME, file, ...args] }),
    refusal: (file, cwd) => refusalOf(file, cwd, system),
    complaint: complaintOf,
  };
}

/** Shells word the system's errors in their own way, so foreseeable failures are not attempted. */
function refusalOf(file: string, cwd: string, system: OperatingSystem, depth = 0): string {
  const code = system.whyNotRunnable(file);
  if (code !== '' || depth === MAX_INTERPRETERS) return code;
  const interpreter = /^#![ \t]*([^ \t\n]+)/.exec(system.head(file, FIRST_LINE_BYTES))?.[1];
  if (interpreter === undefined) return '';
  const { resolve } = pathsOf(system.platform);
  return refusalOf(resolve(cwd, interpreter), cwd, system, depth + 1);
}

/** Shells exit with 126 or 127 if they cannot run something. */
function complaintOf(file: string, exitCode: number | null, output: string): string | null {
  if (exitCode !== 126 && exitCode !== 127) return null;
  const words = new RegExp(`^(?:E: )?${NAME}: (.*)`).exec(output)?.[1];
  return words?.includes(file) ? words : null;
}
