/** Who this process is, well enough that a reused pid on the same or another machine is not it. */
import fs from 'node:fs';
import os from 'node:os';
import type { Clock } from './clock.ts';

/** This process and what it can see of others. */
export interface ProcessIdentity {
  readonly host: string;
  readonly boot: string;
  readonly pidNamespace: string;
  readonly pid: number;
  /** Start time of a live process; '' when it lives but cannot be asked; `null` when it is gone. */
  startTimeOf(pid: number): string | null;
}

export interface IdentityPorts {
  readonly platform: NodeJS.Platform;
  readonly clock: Pick<Clock, 'now'>;
  /** `Processes.startTime`: `null` when a process is gone, a zombie, or the system does not tell. */
  readonly startTime: (pid: number) => string | null;
}

/** The real thing for this process. */
export function systemIdentity({ platform, clock, startTime }: IdentityPorts): ProcessIdentity {
  const isLinux = platform === 'linux';
  // Computed, where the system has no name for a boot: `isSameBoot` allows for a clock being set.
  const bootSeconds = Math.round(clock.now() / 1000 - os.uptime());
  const bootId = isLinux
    ? orEmpty(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))
    : '';
  return {
    host: os.hostname(),
    boot: bootId.trim() || `seconds:${bootSeconds}`,
    pidNamespace: isLinux ? orEmpty(() => fs.readlinkSync('/proc/self/ns/pid')) : '',
    pid: process.pid,
    startTimeOf: (pid) => startTime(pid) ?? (!isLinux && isThere(pid) ? '' : null),
  };
}

/** Boot times that are only computed differ by what the clock was set meanwhile. */
const BOOT_TOLERANCE_SECONDS = 60;
const COMPUTED_BOOT = /^seconds:(\d+)$/;

/** True when two `boot`s are of one start of one machine. */
export function isSameBoot(one: string, other: string): boolean {
  const first = COMPUTED_BOOT.exec(one)?.[1];
  const second = COMPUTED_BOOT.exec(other)?.[1];
  if (first === undefined || second === undefined) return one === other;
  return Math.abs(Number(first) - Number(second)) <= BOOT_TOLERANCE_SECONDS;
}

/** True where one of two places is on a machine that the other cannot look into. A computed boot is no name. */
export function isOtherMachine(one: MachinePlace, other: MachinePlace): boolean {
  if (one.host === undefined || other.host === undefined || one.host === other.host) return false;
  return !isSameBoot(one.boot, other.boot) || COMPUTED_BOOT.test(one.boot);
}

interface MachinePlace {
  /** Left out: not told. */
  readonly host?: string | undefined;
  readonly boot: string;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is there, though out of reach.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
