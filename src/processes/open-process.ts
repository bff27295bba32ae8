/**
 * A long-running program: its output arrives as it is printed, and it accepts input until it is ended. Owns the
 * child from its start to its end.
 * 1. Its start is recorded before it begins, as for a command.
 * 2. `end` closes its input, waits, and ends what is left as a tree. On POSIX nothing of its group outlives it.
 */
import { StringDecoder } from 'node:string_decoder';
import { within } from '../lib/within.ts';
import type { ProcessRequest } from './contract.ts';
import { type ProcessPorts, recordStart } from './run.ts';
import { startProcess } from './start.ts';

export type OpenProcessRequest = Pick<ProcessRequest, 'file' | 'args' | 'cwd' | 'env' | 'program'>;

export interface OpenHooks {
  /** Receives its identity for the journal; the program begins when this has returned. */
  onSpawn(pid: number, startTime: string): void;
  /** Gets the text that the program prints to stdout. */
  onText(text: string): void;
  /** Called once, with the end of its stderr or the reason why it could not be started. */
  onEnd(detail: string): void;
}

export interface OpenProcess {
  /** Text for a program that is gone is dropped. */
  write(text: string): void;
  /** Resolves when the program is gone. Its input is closed first, so that it can exit by itself. */
  end(): Promise<void>;
}

/** Stands for a process that could not be started. */
export const NO_PROCESS: OpenProcess = { write: () => {}, end: async () => {} };

const KEPT_STDERR = 4000;
/** Milliseconds a program has to exit once its input is closed. */
const LEAVE_MS = 2000;

/** Throws what `onSpawn` throws; then nothing of it runs. */
export async function openProcess(
  request: OpenProcessRequest,
  hooks: OpenHooks,
  ports: ProcessPorts,
): Promise<OpenProcess> {
  const whole = { ...request, timeoutMs: 0, maxOutputBytes: 0 };
  const started = startProcess(whole, ports.platform, ports.starter);
  if ('error' in started) {
    hooks.onEnd(await started.error);
    return NO_PROCESS;
  }
  const { child, pid, begin } = started;
  let stderr = '';
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      // Processes that it started would otherwise keep the pipes open forever.
      void ports.killTree(pid).then(() => {
        hooks.onEnd(stderr.trim());
        resolve();
      });
    });
  });
  await recordStart(started, hooks, ports);
  const decoder = new StringDecoder('utf8');
  child.stdout?.on('data', (chunk: Buffer) => hooks.onText(decoder.write(chunk)));
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-KEPT_STDERR);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => {});
  begin();
  return {
    write: (text) => {
      if (child.stdin?.writable) child.stdin.write(text);
    },
    end: async () => {
      child.stdin?.end();
      if ((await within(gone, LEAVE_MS, ports.clock)) !== null) return;
      await ports.killTree(pid);
      await gone;
    },
  };
}
