import type { OperatingSystem } from '../../processes/operating-system.ts';

/** `pid (name) state ppid pgrp session tty tpgid`; the name may contain brackets itself. */
const STAT = /\) \S+ \d+ (\d+) \d+ -?\d+ (-?\d+)/;

/**
 * Whether this process is in the terminal's foreground. A process in the background would be stopped for touching the
 * terminal, and what is typed belongs to the shell.
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
