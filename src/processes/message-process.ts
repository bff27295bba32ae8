import { spawn } from 'node:child_process';
import { notFound } from './not-started.ts';

/** A Node script that runs beside this process and exchanges messages with it. */
export interface MessageProcess {
  /** Messages to a process that is gone are dropped; `onExit` reports its end. */
  send(message: object): void;
  /** Ends it at once; `onExit` follows. */
  kill(): void;
}

export interface MessageProcessRequest {
  readonly nodeExecutable: string;
  /** Absolute path of the script. */
  readonly script: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child; nothing is inherited. */
  readonly env: { readonly [name: string]: string };
}

export interface MessageProcessExit {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of its stderr, or why it could not be started. */
  readonly detail: string;
}

const KEPT_STDERR = 4000;

/**
 * Starts a script with an IPC channel. The channel closes when either side is gone, so a script that ends on
 * `disconnect` never outlives this process.
 */
export function startMessageProcess(
  request: MessageProcessRequest,
  listener: {
    onMessage(message: unknown): void;
    onExit(exit: MessageProcessExit): void;
  },
): MessageProcess {
  const { nodeExecutable: file, cwd } = request;
  const child = spawn(file, [request.script, ...request.args], {
    cwd,
    env: request.env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  let stderr = '';
  let isOver = false;
  const end = (exit: MessageProcessExit): void => {
    if (isOver) return;
    isOver = true;
    listener.onExit(exit);
  };
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  child.on('message', (message: unknown) => {
    if (!isOver) listener.onMessage(message);
  });
  child.on('error', (error) => {
    if (child.pid === undefined)
      end({
        exitCode: null,
        signal: null,
        detail: notFound(error, { file, cwd }) ?? error.message,
      });
  });
  child.on('close', (exitCode, signal) => end({ exitCode, signal, detail: stderr.trim() }));
  return {
    send: (message) => {
      if (child.connected) child.send(message, () => {});
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
