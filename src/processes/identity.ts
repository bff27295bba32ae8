import type { OperatingSystem } from './operating-system.ts';

/** Identifies a process. A pid is reused; a pid with its start time is not. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly startTime: string;
  readonly zombie: boolean;
}

/** The start is recorded synchronously with the spawn; if the system takes longer than this, it stays unknown. */
const AT_ONCE_MS = 900;

/**
 * When a live process started, in the system's own unit (Linux: ticks since boot, macOS: a date, win32: 100 ns
 * ticks). `null` if it is gone or a zombie, or if the system does not tell.
 */
export function startTimeOf(pid: number, system: OperatingSystem): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (system.platform === 'linux') {
    const entry = linuxEntry(pid, system);
    return entry === null || entry.zombie ? null : entry.startTime;
  }
  if (!system.signal(pid, 0)) return null;
  return system.platform === 'win32' ? windowsStart(pid, system) : posixStart(pid, system);
}

/** @param others names below /proc of processes that are left out */
export const linuxProcesses = (
  system: OperatingSystem,
  others: ReadonlySet<string> = new Set(),
): ProcessEntry[] =>
  system
    .list('/proc')
    .filter((name) => /^\d+$/.test(name) && !others.has(name))
    .map((name) => linuxEntry(Number(name), system))
    .filter((entry) => entry !== null);

/**
 * Every process, as far as the system lists them; empty on win32, where taskkill walks the tree.
 * @param others see `linuxProcesses`; elsewhere all are listed at once
 */
export async function listProcesses(
  system: OperatingSystem,
  others?: ReadonlySet<string>,
): Promise<ProcessEntry[]> {
  if (system.platform === 'win32') return [];
  if (system.platform === 'linux') return linuxProcesses(system, others);
  const printed = await system.ask('/bin/ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], 3000);
  return (printed ?? '').split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line);
    if (found === null) return [];
    const [, pid, parent, group, state = '', startTime = ''] = found;
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      startTime,
      zombie: state.startsWith('Z'),
    };
  });
}

/** proc(5): the name in brackets may contain anything, so fields are counted from the last bracket. */
function linuxEntry(pid: number, system: OperatingSystem): ProcessEntry | null {
  const stat = system.readText(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime,
    zombie: state === 'Z' || state === 'X',
  };
}

function posixStart(pid: number, system: OperatingSystem): string | null {
  const printed = system.capture('/bin/ps', ['-p', String(pid), '-o', 'stat=,lstart='], AT_ONCE_MS);
  const found = /^\s*(\S+)\s+(.+?)\s*$/.exec(printed ?? '');
  if (found === null || found[1]?.startsWith('Z')) return null;
  return found[2] ?? null;
}

/** Current Windows has no wmic, and tasklist does not know start times, so PowerShell is left. */
function windowsStart(pid: number, system: OperatingSystem): string | null {
  const printed = system.capture(
    `${system.systemRoot}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`,
    [
      '-NoProfile',
      '-NonInteractive',
      '-Command',
      `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`,
    ],
    AT_ONCE_MS,
  );
  return /^\s*(\d{10,})\s*$/.exec(printed ?? '')?.[1] ?? null;
}
