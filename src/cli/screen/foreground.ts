import type { OperatingSystem } from '../../processes/operating-system.ts';

/** `pid (name) state ppid pgrp session tty tpgid`, the name in brackets of its own. */
const STAT = /\) \S+ \d+ (\d+) \d+ -?\d+ (-?\d+)/;

/**
 * Whether the terminal is this process's now. One that was put into the background would be stopped
 * for touching it, and what is typed is the shell's.
 */
export function inForeground(
  look: Pick<OperatingSystem, 'platform' | 'readText' | 'capture' | 'ownPid'>,
) {
  if (look.platform === 'win32') return true;
  const stat = STAT.exec(look.readText('/proc/self/stat') ?? '');
  if (stat !== null) return stat[1] === stat[2];
  const state = look.capture('ps', ['-o', 'stat=', '-p', String(look.ownPid)], 500);
  return state === null || state.includes('+');
}
