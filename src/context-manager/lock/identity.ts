/** Who a process is, well enough that a reused pid on the same or another machine is not it. */
import fs from 'node:fs';
import os from 'node:os';

/** What the owner of a lock writes down about itself. */
export interface LockOwner {
  readonly host: string;
  /** Changes when the machine starts again. */
  readonly boot: string;
  /** '' where the system has no pid namespaces. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** In the system's own unit; '' where it cannot be asked. */
  readonly startTime: string;
  /** When the lock was taken, ms since 1970; for people. */
  readonly since: number;
}

/** This process and what it can see of others. */
export interface ProcessIdentity {
  readonly host: string;
  readonly boot: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /** Start time of a live process; '' when it lives but cannot be asked; `null` when it is gone. */
  startTimeOf(pid: number): string | null;
}

export type Liveness = 'alive' | 'dead' | 'unknown';

/** Boot times that are only computed differ by what the clock was set meanwhile. */
const BOOT_TOLERANCE_SECONDS = 60;
const COMPUTED_BOOT = /^seconds:(\d+)$/;

function isSameBoot(one: string, other: string): boolean {
  const first = COMPUTED_BOOT.exec(one)?.[1];
  const second = COMPUTED_BOOT.exec(other)?.[1];
  if (first === undefined || second === undefined) return one === other;
  return Math.abs(Number(first) - Number(second)) <= BOOT_TOLERANCE_SECONDS;
}

/**
 * Whether an owner still runs. Another host or pid namespace cannot be looked into; the same host
 * after a restart has none of its old processes.
 */
export function livenessOf(owner: LockOwner, self: ProcessIdentity): Liveness {
  if (!isSameBoot(owner.boot, self.boot)) return owner.host === self.host ? 'dead' : 'unknown';
  if (owner.pidNamespace !== self.pidNamespace) return 'unknown';
  const startTime = self.startTimeOf(owner.pid);
  if (startTime === null) return 'dead';
  if (startTime === '' || owner.startTime === '') return 'alive';
  return startTime === owner.startTime ? 'alive' : 'dead';
}

/** The real thing for this process. `startTimeOf` can be replaced where the caller knows better. */
export function systemIdentity(
  platform: NodeJS.Platform = process.platform,
  startTimeOf: (pid: number) => string | null = platform === 'linux'
    ? linuxStartTime
    : existingProcess,
): ProcessIdentity {
  return {
    host: os.hostname(),
    boot: (platform === 'linux' ? readText('/proc/sys/kernel/random/boot_id') : '') || bootTime(),
    pidNamespace: platform === 'linux' ? readLink('/proc/self/ns/pid') : '',
    pid: process.pid,
    startTimeOf,
  };
}

const bootTime = (): string => `seconds:${Math.round(Date.now() / 1000 - os.uptime())}`;

/** The 22nd field of `/proc/<pid>/stat`; a zombie no longer does anything. */
function linuxStartTime(pid: number): string | null {
  const stat = readText(`/proc/${pid}/stat`);
  // Without a readable /proc the question goes to the kernel.
  if (stat === '') return existingProcess(pid);
  // The program's name stands in brackets and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? null : (fields[19] ?? '');
}

function existingProcess(pid: number): string | null {
  try {
    process.kill(pid, 0);
    return '';
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH' ? null : '';
  }
}

function readText(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

function readLink(path: string): string {
  try {
    return fs.readlinkSync(path);
  } catch {
    return '';
  }
}
