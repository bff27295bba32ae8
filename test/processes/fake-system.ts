/** Operating systems that are not the one we run on. */
import type { OperatingSystem } from '../../src/processes/operating-system.ts';

/** Hears what is asked of it. */
export interface Fake extends OperatingSystem {
  readonly signals: [number, NodeJS.Signals | 0][];
  readonly captured: string[];
}

export function fake(platform: NodeJS.Platform, more: Partial<OperatingSystem> = {}): Fake {
  const signals: [number, NodeJS.Signals | 0][] = [];
  const captured: string[] = [];
  return {
    platform,
    systemRoot: 'D:\\Win',
    ownPid: 1000,
    readText: () => null,
    list: () => [],
    readLink: () => '',
    head: () => '',
    whyNotRunnable: () => '',
    signals,
    captured,
    signal: (pid, signal) => {
      signals.push([pid, signal]);
      return true;
    },
    ...more,
    ask: async (file, args, timeoutMs) => {
      captured.push([file, ...args].join(' '));
      return (await more.ask?.(file, args, timeoutMs)) ?? null;
    },
    capture: (file, args, timeoutMs) => {
      captured.push([file, ...args].join(' '));
      return more.capture?.(file, args, timeoutMs) ?? null;
    },
  };
}

interface Row {
  readonly pid: number;
  readonly ppid: number;
  readonly group?: number;
  readonly session?: number;
  readonly state?: string;
  /** Where it works. */
  readonly folder?: string;
}

/** A Linux process table; killed ones leave it. The start time of `pid` is `${pid}77`. */
export function table(rows: readonly Row[]) {
  const alive = new Map(rows.map((row) => [row.pid, row]));
  const killed: number[] = [];
  const system = fake('linux', {
    list: () => [...alive.keys()].map(String).concat('self', 'meminfo'),
    readText: (file) => {
      const row = alive.get(Number(/^\/proc\/(\d+)\/stat$/.exec(file)?.[1]));
      if (row === undefined) return null;
      const { pid, ppid, group = pid, session = group, state = 'S' } = row;
      return `${pid} (odd ) name) ${state} ${ppid} ${group} ${session} ${'0 '.repeat(15)}${pid}77 0 0`;
    },
    readLink: (file) => alive.get(Number(/^\/proc\/(\d+)\/cwd$/.exec(file)?.[1]))?.folder ?? '',
    signal: (pid, signal) => {
      if (pid < 0 || signal !== 'SIGKILL') return true;
      killed.push(pid);
      return alive.delete(pid);
    },
  });
  return { system, killed };
}
