/** Identifies this process so precisely that a reused pid, on this or another machine, is not mistaken for it. */
import fs from 'node:fs';
import os from 'node:os';
import type { Clock } from './clock.ts';
import { orNull } from './or-null.ts';

/** This process and what it can see of others. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes when the machine starts again. */
  readonly boot: string;
  /** Empty if the system has no pid namespaces. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** Only in a worker thread on Linux, which may end before its process: its number among the processes. */
  readonly thread?: number | undefined;
  /** Start time of a live process; empty if it is alive but cannot be queried; `null` if it is gone. */
  startTimeOf(pid: number): string | null;
}

export interface IdentityPorts {
  readonly platform: NodeJS.Platform;
  readonly clock: Pick<Clock, 'now'>;
  /** `Processes.startTime`: `null` if a process is gone or a zombie, or if the system does not tell. */
  readonly startTime: (pid: number) => string | null;
}

export function systemIdentity({ platform, clock, startTime }: IdentityPorts): ProcessIdentity {
  const isLinux = platform === 'linux';
  // Computed if the system has no id for a boot; `isSameBoot` allows for a clock that was set.
  const bootSeconds = Math.round(clock.now() / 1000 - os.uptime());
  const bootId = isLinux
    ? orNull(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
    : null;
  return {
    host: os.hostname(),
    boot: bootId?.trim() || `seconds:${bootSeconds}`,
    pidNamespace: (isLinux && orNull(() => fs.readlinkSync('/proc/self/ns/pid'))) || '',
    pid: process.pid,
    thread: isLinux ? workerThread(startTime) : undefined,
    startTimeOf: (pid) => startTime(pid) ?? (!isLinux && isThere(pid) ? '' : null),
  };
}

function workerThread(startTime: IdentityPorts['startTime']): number | undefined {
  const [pid = '', , id] = orNull(() => fs.readlinkSync('/proc/thread-self'))?.split('/') ?? [];
  const thread = Number(id);
  // What the system does not show now, it would not show to others either.
  const isShown = pid === String(process.pid) && startTime(thread) !== null;
  return isShown && thread !== process.pid ? thread : undefined;
}

/** Computed boot times differ by as much as the clock was set in between. */
const BOOT_TOLERANCE_SECONDS = 60;
const COMPUTED_BOOT = /^seconds:(\d+)$/;

/** True if both `boot` values belong to the same start of the same machine. */
export function isSameBoot(one: string, other: string): boolean {
  const first = COMPUTED_BOOT.exec(one)?.[1];
  const second = COMPUTED_BOOT.exec(other)?.[1];
  if (first === undefined || second === undefined) return one === other;
  return Math.abs(Number(first) - Number(second)) <= BOOT_TOLERANCE_SECONDS;
}

/** True if one place is on a machine that the other cannot examine. A computed boot identifies no machine. */
export function isOtherMachine(one: MachinePlace, other: MachinePlace): boolean {
  if (one.host === undefined || other.host === undefined || one.host === other.host) return false;
  return !isSameBoot(one.boot, other.boot) || COMPUTED_BOOT.test(one.boot);
}

interface MachinePlace {
  /** Left out: unknown. */
  readonly host?: string | undefined;
  readonly boot: string;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user exists, although it cannot be signalled.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
