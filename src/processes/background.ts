/**
 * A program that runs beside the run until it ends by itself or is ended. Owns the child from its start to its
 * end.
 * 1. Its start is recorded before it begins, as for a command.
 * 2. A limited part of its output is kept: the beginning and the end.
 * 3. On POSIX, everything that it started in its group or session ends with it.
 */
import type { ChildProcess } from 'node:child_process';
import { within } from '../lib/within.ts';
import { boundedOutput } from './bounded-output.ts';
import type { ProcessOutcome, ProcessRequest, StreamText } from './contract.ts';
import { collect, endLeftovers, feed, type ProcessPorts, recordStart, release } from './run.ts';
import { startProcess } from './start.ts';

export type BackgroundRequest = Omit<ProcessRequest, 'timeoutMs' | 'maxStreamBytes'>;

export interface BackgroundHooks {
  /** Receives its identity for the journal. The program begins when this has returned, and never if it throws. */
  onSpawn(pid: number, startTime: string): void;
}

export interface BackgroundExit extends Pick<ProcessOutcome, 'exitCode' | 'signal' | 'error'> {
  /** Files that appeared while the program ran, that only a person may permit, and that were moved away. */
  readonly putAside?: readonly string[];
}

export interface BackgroundProcess {
  /** The output so far, both streams interleaved. */
  output(): StreamText;
  printed(): number;
  /** `null` while it runs. */
  exit(): BackgroundExit | null;
  /** The addresses on which the program listens, as far as the system reports them: `127.0.0.1:8123`. */
  addresses(): readonly string[];
  /** Resolves when it prints or has ended, after `ms` at the latest, and at once when aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  end(): Promise<void>;
}

export type StartBackground = (
  request: BackgroundRequest,
  hooks: BackgroundHooks,
) => Promise<BackgroundProcess | string>;

export interface BackgroundPorts extends ProcessPorts {
  addressesOf(pid: number): readonly string[];
}

const DRAIN_MS = 500;

/** Returns words if it could not be started. Throws what `onSpawn` throws; then nothing of it runs. */
export async function startInBackground(
  request: BackgroundRequest,
  hooks: BackgroundHooks,
  ports: BackgroundPorts,
): Promise<BackgroundProcess | string> {
  const { platform, starter } = ports;
  const started = startProcess({ ...request, timeoutMs: 0 }, platform, starter);
  if ('error' in started) return started.error;
  const { child, pid, begin } = started;
  const output = boundedOutput(request.maxOutputBytes);
  const waits = waitsOf(ports.clock);
  let printed = 0;
  let exit: BackgroundExit | null = null;
  const gone = goneOf(child, pid, ports).then(({ exitCode, signal }) => {
    const error =
      starter?.complaint(request.program ?? request.file, exitCode, output.finish().text) ?? null;
    exit ??= { exitCode, signal, ...(error === null ? {} : { error }) };
    waits.wake();
  });
  await recordStart(started, hooks, ports);
  collect(child, output, null, { onOutput: () => {} }, () => {
    printed += 1;
    waits.wake();
  });
  feed(child, request.stdin);
  begin();
  return {
    output: () => output.finish(),
    printed: () => printed,
    exit: () => exit,
    addresses: () => (exit === null ? ports.addressesOf(pid) : []),
    wait: async (ms, signal) => {
      if (exit === null && !signal.aborted) await waits.wait(ms, signal);
    },
    end: async () => {
      if (exit !== null) return;
      await ports.killTree(pid);
      await within(gone, 2 * DRAIN_MS, ports.clock);
      exit ??= { exitCode: null, signal: null };
      waits.wake();
    },
  };
}

/** Resolves when the program and what it started have ended and its pipes are read. */
async function goneOf(
  child: ChildProcess,
  pid: number,
  ports: BackgroundPorts,
): Promise<Pick<BackgroundExit, 'exitCode' | 'signal'>> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const ended = await new Promise<Pick<BackgroundExit, 'exitCode' | 'signal'>>((resolve) =>
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })),
  );
  await within(closed, DRAIN_MS, ports.clock);
  await endLeftovers(pid, ports);
  release(child);
  return ended;
}

function waitsOf(clock: BackgroundPorts['clock']) {
  const waiting = new Set<() => void>();
  return {
    wake: (): void => {
      for (const one of [...waiting]) one();
    },
    wait: async (ms: number, signal: AbortSignal): Promise<void> => {
      const stop = new AbortController();
      let onWake = (): void => {};
      const woken = new Promise<void>((resolve) => {
        onWake = resolve;
        waiting.add(onWake);
      });
      const late = clock.sleep(ms, AbortSignal.any([signal, stop.signal])).catch(() => {});
      await Promise.race([woken, late]);
      waiting.delete(onWake);
      stop.abort();
    },
  };
}
