import type { ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import type { Clock } from '../lib/clock.ts';
import { within } from '../lib/within.ts';
import { type BoundedOutput, boundedOutput } from './bounded-output.ts';
import type { ProcessHooks, ProcessOutcome, ProcessRequest } from './contract.ts';
import { type Started, startProcess } from './start.ts';
import { GATE_DESCRIPTOR, type Starter } from './starter.ts';

/**
 * Runs one program without a shell. Owns the child from spawn to end. Invariants:
 * 1. `onSpawn` gets the child's identity synchronously with the spawn. Behind a starter, the program begins
 *    when `onSpawn` has returned, and never if it threw or aborted.
 * 2. The outcome comes within 5 s of the end, the timeout or the abort, whoever holds the pipes.
 * 3. On POSIX, nothing that the program started in its group or session outlives it.
 * node:child_process rather than execa: execa waits for the pipes to close (grandchildren may keep them open
 * forever), keeps only the start of a flood, passes `.cmd` files to cmd.exe through cross-spawn, and costs
 * start-up time. All that would remain of it is `spawn` itself.
 */
export interface ProcessPorts {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  startTime(pid: number): string | null;
  /** @param others see `killProcessTree` */
  killTree(pid: number, others?: ReadonlySet<string>): Promise<void>;
  /** Names below /proc of all running processes; left out: whoever ends a tree looks at all of them. */
  running?(): ReadonlySet<string>;
  /** For programs whose start is recorded; `null`: they begin at once. */
  readonly starter: Starter | null;
  /** Whether the program is listening for connections; left out: unknown. */
  isListening?(pid: number): boolean;
}

/** Milliseconds the pipes may stay open after a program has ended. */
const DRAIN_MS = 500;

export const NOTHING_RAN = {
  kind: 'spawn_failed',
  ...{ exitCode: null, signal: null, output: '', truncatedBytes: 0 },
} as const;

interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

export async function runProcess(
  request: ProcessRequest,
  hooks: ProcessHooks,
  ports: ProcessPorts,
): Promise<ProcessOutcome> {
  const startedAt = ports.clock.monotonic();
  const output = boundedOutput(request.maxOutputBytes);
  const apart = streamsOf(request.maxStreamBytes);
  const finish = (kind: ProcessOutcome['kind'], exit?: Exit, error?: string): ProcessOutcome => {
    const { text, leftOutBytes } = output.finish();
    return {
      kind,
      // On win32 a program that was ended here leaves a code as if it were its own.
      exitCode: kind === 'exited' ? (exit?.code ?? null) : null,
      ...{ signal: exit?.signal ?? null, output: text, truncatedBytes: leftOutBytes },
      ...(error === undefined ? finished(apart) : {}),
      durationMs: Math.round(ports.clock.monotonic() - startedAt),
      ...(error === undefined ? {} : { error }),
    };
  };
  if (hooks.signal.aborted) return finish('cancelled');
  const starter = hooks.onSpawn ? ports.starter : null;
  const others = ports.running?.();
  const started = startProcess(request, ports.platform, starter);
  if ('error' in started) return finish('spawn_failed', undefined, await started.error);
  const { child, pid } = started;
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await recordStart(started, hooks, ports);
  if (!hooks.signal.aborted) started.begin();
  collect(child, output, apart, hooks);
  feed(child, request.stdin);

  const ending = await firstOf(exited, request.timeoutMs, ports.clock, hooks.signal);
  const isServing = ending === 'timeout' && ports.isListening?.(pid) === true;
  if (ending === 'exited') {
    await within(closed, DRAIN_MS, ports.clock);
    await endLeftovers(pid, ports, others);
  } else {
    await ports.killTree(pid);
  }
  await within(closed, DRAIN_MS, ports.clock);
  const exit = await within(exited, DRAIN_MS, ports.clock);
  release(child);
  const outcome = finish(ending, exit ?? undefined);
  const complaint = starter?.complaint(request.file, outcome.exitCode, outcome.output) ?? null;
  if (complaint !== null)
    return { ...NOTHING_RAN, durationMs: outcome.durationMs, error: complaint };
  return isServing ? { ...outcome, isServing } : outcome;
}

interface Apart {
  readonly stdout: BoundedOutput;
  readonly stderr: BoundedOutput;
}

const streamsOf = (bytes: number | undefined): Apart | null =>
  bytes === undefined ? null : { stdout: boundedOutput(bytes), stderr: boundedOutput(bytes) };

const finished = (apart: Apart | null): Pick<ProcessOutcome, 'streams'> =>
  apart === null
    ? {}
    : { streams: { stdout: apart.stdout.finish(), stderr: apart.stderr.finish() } };

/** Each stream has its own decoder, so a character split between two chunks stays whole. */
export function collect(
  child: ChildProcess,
  output: BoundedOutput,
  apart: Apart | null,
  hooks: Pick<ProcessHooks, 'onOutput'>,
  onAny: () => void = () => {},
): void {
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = child[name];
    if (stream === null) continue;
    const decoder = new StringDecoder('utf8');
    const take = (text: string): void => {
      if (text === '') return;
      apart?.[name].add(text);
      const early = output.add(text);
      if (early !== '') hooks.onOutput(early);
      onAny();
    };
    stream.on('data', (chunk: Buffer) => take(decoder.write(chunk)));
    stream.once('end', () => take(decoder.end()));
    stream.on('error', () => {});
  }
}

/** Always a closed pipe, never the null device, which claims to be a terminal on win32. */
export function feed(child: ChildProcess, stdin: string | undefined): void {
  // EPIPE: the program ended, or closed its input without reading it, which it may do.
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin ?? '');
}

type Ended = 'exited' | 'timeout' | 'cancelled';

async function firstOf(
  exited: Promise<Exit>,
  timeoutMs: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<Ended> {
  // Ends the waits that lost the race. An aborted wait rejects, and nobody listens any more.
  const waits = new AbortController();
  let onAbort = (): void => {};
  const others = new Promise<Ended>((resolve) => {
    clock.sleep(timeoutMs, waits.signal).then(
      () => resolve('timeout'),
      () => {},
    );
    onAbort = () => resolve('cancelled');
    signal.addEventListener('abort', onAbort, { once: true });
    // `onSpawn` may have aborted.
    if (signal.aborted) onAbort();
  });
  const ending = await Promise.race([exited.then((): Ended => 'exited'), others]);
  waits.abort();
  signal.removeEventListener('abort', onAbort);
  return ending;
}

/** Ends what a program left running in its group: only `background.ts` may keep programs running. */
export async function endLeftovers(
  pid: number,
  ports: Pick<ProcessPorts, 'platform' | 'startTime' | 'killTree'>,
  others?: ReadonlySet<string>,
): Promise<void> {
  // On win32, taskkill finds no tree below a process that is gone.
  if (ports.platform === 'win32') return;
  // Another process already has this pid.
  if (ports.startTime(pid) !== null) return;
  await ports.killTree(pid, others);
}

/** Throws what `onSpawn` throws; then nothing of it runs. */
export async function recordStart(
  { child, pid }: Pick<Started, 'child' | 'pid'>,
  hooks: Pick<ProcessHooks, 'onSpawn'>,
  ports: ProcessPorts,
): Promise<void> {
  try {
    // win32: the system ends the child together with this process (libuv's job object), so its identity is
    // never compared after a crash, and querying it would start PowerShell for every command.
    hooks.onSpawn?.(pid, ports.platform === 'win32' ? '' : (ports.startTime(pid) ?? ''));
  } catch (error) {
    await ports.killTree(pid);
    release(child);
    throw error;
  }
}

/** Releases pipes that another process still holds, so that they do not keep this process alive. */
export function release(child: ChildProcess): void {
  child.stdin?.destroy();
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.stdio[GATE_DESCRIPTOR]?.destroy();
  child.unref();
}
