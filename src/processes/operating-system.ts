import { execFile, type StdioOptions, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { orNull } from '../lib/or-null.ts';

/** What process identity and tree killing need of the operating system. */
export interface OperatingSystem {
  readonly platform: NodeJS.Platform;
  /** The text of a file below /proc; `null` if it does not exist. */
  readText(path: string): string | null;
  /** Names in a folder; empty if it does not exist. */
  list(path: string): readonly string[];
  /** The target of a link below /proc; empty if it is missing or not readable for us. */
  readLink(path: string): string;
  /** The first bytes of a file; empty if it cannot be read. */
  head(path: string, bytes: number): string;
  /** The error code that prevents running a file; empty if none does. */
  whyNotRunnable(path: string): string;
  /** What a system program prints; `null` if it fails or takes longer than `timeoutMs`. */
  ask(file: string, args: readonly string[], timeoutMs: number): Promise<string | null>;
  /** The same, synchronously. It blocks everything else, so callers ask for less than a second. */
  capture(file: string, args: readonly string[], timeoutMs: number): string | null;
  /** Sends a signal (0 only checks); false if there is no such process. A negative pid is a group. */
  signal(pid: number, signal: NodeJS.Signals | 0): boolean;
  /** Where Windows keeps its programs. */
  readonly systemRoot: string;
  readonly ownPid: number;
}

export function operatingSystem(
  platform: NodeJS.Platform,
  systemRoot = 'C:\\Windows',
): OperatingSystem {
  return {
    platform,
    systemRoot,
    ownPid: process.pid,
    readText: (path) => orNull(() => fs.readFileSync(path, 'utf8')),
    list: (path) => orNull(() => fs.readdirSync(path)) ?? [],
    readLink: (path) => orNull(() => fs.readlinkSync(path)) ?? '',
    head: (path, bytes) => orNull(() => readHead(path, bytes)) ?? '',
    whyNotRunnable,
    ask: (file, args, timeoutMs) =>
      new Promise((resolve) => {
        const options = { ...optionsFor(systemRoot, timeoutMs), maxBuffer: MAX_PRINTED };
        const child = execFile(file, args, options, (error, printed) =>
          resolve(error === null ? printed : null),
        );
        child.stdin?.end();
      }),
    capture: (file, args, timeoutMs) => {
      const stdio: StdioOptions = ['ignore', 'pipe', 'ignore'];
      const done = spawnSync(file, args, { ...optionsFor(systemRoot, timeoutMs), stdio });
      return done.status === 0 ? done.stdout : null;
    },
    signal: (pid, signal) => {
      try {
        return process.kill(pid, signal);
      } catch (error) {
        // A process of another user exists, although it cannot be signalled.
        return (error as NodeJS.ErrnoException).code === 'EPERM';
      }
    },
  };
}

/** Enough for the list of all processes of a machine. */
const MAX_PRINTED = 16 * 1024 * 1024;

const optionsFor = (systemRoot: string, timeoutMs: number) => ({
  encoding: 'utf8' as const,
  timeout: timeoutMs,
  killSignal: 'SIGKILL' as const,
  windowsHide: true,
  // Otherwise `ps` prints dates in the user's language.
  env: { LC_ALL: 'C', SystemRoot: systemRoot, PATH: '/usr/bin:/bin' },
});

function readHead(path: string, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  const fd = fs.openSync(path, 'r');
  try {
    return buffer.toString('latin1', 0, fs.readSync(fd, buffer, 0, bytes, 0));
  } finally {
    fs.closeSync(fd);
  }
}

function whyNotRunnable(path: string): string {
  try {
    fs.accessSync(path, fs.constants.X_OK);
    return fs.statSync(path).isFile() ? '' : 'EACCES';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'EACCES';
  }
}
