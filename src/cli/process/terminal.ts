import { fstatSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { isatty } from 'node:tty';
import type { HostEnvironment } from '../../host/host-environment.ts';
import { systemClock } from '../../lib/clock.ts';
import type { FileIdentity } from '../../lib/files/file-system.ts';
import { orNull } from '../../lib/or-null.ts';
import type { SingleProgram } from '../../run/machine.ts';
import { rawReading } from './raw-mode.ts';

export interface Sink {
  readonly isTerminal: boolean;
  /** Read at every use, since a window can be resized. */
  size(): { readonly columns: number; readonly rows: number };
  write(text: string): void;
  /** Whether nobody reads any more (`agent history | head`). */
  isClosed(): boolean;
}

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGBREAK' | 'SIGCONT';

/** Port to the process in which this command line runs. */
export interface Terminal extends HostEnvironment {
  readonly stdout: Sink;
  readonly stderr: Sink;
  /** One person reads both. Left out: if both are terminals. */
  readonly isOneScreen?: true;
  /** Writes an answer unchanged if stdout is not a terminal. */
  toFile?(text: string): void;
  /** Writes cursor movements to the terminal behind stderr; only code that draws a screen calls it. */
  draw(text: string): void;
  /** Rings the bell, with a text if the terminal is known to show one. Left out if there is no terminal. */
  alert?(words: string): void;
  /**
   * Reads every key as it is pressed: no echo, no lines, no signals (raw mode), until the returned function restores
   * the terminal. `null` if nobody can type.
   */
  readonly readKeys: ((listener: (text: string) => void) => () => void) | null;
  readonly stdinIsTerminal: boolean;
  readonly version: string;
  readonly program: string;
  /** How to start this program again: the path of Node and its first arguments. */
  readonly self: readonly string[];
  readAllInput(): Promise<string>;
  /** Stdin as it arrives. */
  input(): AsyncIterable<Uint8Array>;
  /** `null`: the question was closed without an answer. */
  ask(question: string): Promise<string | null>;
  /**
   * Reads keys as they are pressed, including pending input; Ctrl+C stays a signal. Returns the function that ends the
   * reading and restores the terminal. Left out if there is no terminal to read from.
   */
  keys?(listener: (key: string) => void): () => void;
  /** Lets the person change a text in their editor. Left out if there is no terminal for one. */
  edit?(text: string, name: string): Promise<string>;
  /** Returns the function that stops listening. */
  onSignal(name: SignalName, listener: () => void): () => void;
  /** Returns the function that stops the timer. Does not keep the process alive. */
  every(ms: number, action: () => void): () => void;
  /** Whether this process is in the foreground; left out: the system is asked. */
  isForeground?(): boolean;
  /** Called while the process ends, for whatever reason; asynchronous work no longer runs then. */
  onExit(listener: () => void): () => void;
  /** Stops the process group as Ctrl+Z does, after the current tick; does nothing if nobody could continue it. */
  stopHere(): void;
  exitNow(code: number): void;
  /** SIGKILL: the process cannot react. */
  kill(pid: number): void;
  /** Blocks this thread: nothing runs meanwhile, not even a signal handler. */
  block(ms: number): void;
}

function sinkOf(stream: NodeJS.WriteStream): Sink {
  let isClosed = false;
  // A reader that has gone must not end a run: the remaining output is dropped.
  stream.on('error', () => {
    isClosed = true;
  });
  return {
    isTerminal: stream.isTTY === true,
    size: () => terminalSizeOf(stream),
    write: (text) => {
      if (!isClosed) stream.write(text);
    },
    isClosed: () => isClosed,
  };
}

/**
 * Asked of the terminal itself: between a resize and its signal the stream still has the old size, and
 * `getWindowSize` only repeats it.
 */
export function terminalSizeOf(stream: NodeJS.WriteStream): { columns: number; rows: number } {
  try {
    (stream as { readonly _refreshSize?: () => void })._refreshSize?.();
  } catch {
    // The window is gone, so the size no longer matters.
  }
  return { columns: stream.columns || 80, rows: stream.rows || 24 };
}

const readRaw = rawReading({
  platform: process.platform,
  input: () => process.stdin,
  later: (action) => process.nextTick(action),
  onExit: (action) => void process.once('exit', action),
});

function readKeys(listener: (text: string) => void): () => void {
  const { stdin } = process;
  const decoder = new StringDecoder('utf8');
  // A closed terminal ends the run by SIGHUP, not by an unhandled error.
  const onError = (): void => {};
  stdin.on('error', onError);
  const stop = readRaw((chunk) =>
    listener(typeof chunk === 'string' ? chunk : decoder.write(chunk)),
  );
  return () => {
    stop();
    stdin.off('error', onError);
  };
}

/** The file behind a descriptor; none for a terminal or a pipe. */
function regularFile(fd: number): readonly FileIdentity[] {
  const seen = orNull(() => fstatSync(fd, { bigint: true }));
  return seen?.isFile() ? [{ device: seen.dev, inode: seen.ino }] : [];
}

/** Far more than any goal; the caller reports that the text is too long. */
const MAX_INPUT = 4 * 1024 * 1024;

async function readAllInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > MAX_INPUT) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The answer; `null` if there was none, and then a line end is printed, too. */
export async function askOn(
  question: string,
  { input, output }: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream },
): Promise<string | null> {
  const { createInterface } = await import('node:readline/promises');
  const prompt = createInterface({ input, output });
  const closed = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)));
  try {
    const answer = await Promise.race([prompt.question(question), closed]);
    if (answer === null) output.write('\n');
    return answer;
  } finally {
    prompt.close();
  }
}

const keys = (listener: (key: string) => void): (() => void) =>
  readRaw((data) => {
    const text = data.toString();
    if (text.includes('\u0003')) process.emit('SIGINT');
    else listener(text);
  });

async function edited(text: string, name: string): Promise<string> {
  const { editText } = await import('./editor.ts');
  return await editText(text, name, process);
}

/** Terminal programs that treat OSC 9 as a notification, by their variables. */
const NOTIFYING = /^(?:iTerm\.app|WezTerm|ghostty)$/;

export function alertOf(
  words: string,
  { TERM_PROGRAM = '', TERM = '' }: { readonly [name: string]: string | undefined },
): string {
  const isTaken = NOTIFYING.test(TERM_PROGRAM) || TERM === 'xterm-kitty';
  return isTaken ? `\u001b]9;${words}\u0007` : '\u0007';
}

/**
 * Keeps the process alive until it is stopped: without open handles it would exit before, or right after it continues.
 */
const STOPPED_MS = 1000;

export function nodeTerminal(place: {
  readonly version: string;
  readonly program: string;
  readonly self: readonly string[];
  readonly programFolder: string;
  readonly single?: SingleProgram;
}): Terminal {
  return {
    ...place,
    stdout: sinkOf(process.stdout),
    stderr: sinkOf(process.stderr),
    draw: (text) => {
      if (process.stderr.isTTY) process.stderr.write(text);
    },
    ...(process.stderr.isTTY
      ? { alert: (words) => void process.stderr.write(alertOf(words, process.env)) }
      : {}),
    readKeys: isatty(0) ? readKeys : null,
    stdinIsTerminal: isatty(0),
    env: process.env,
    platform: process.platform,
    arch: process.arch,
    nodePath: place.single === undefined ? process.execPath : null,
    cwd: process.cwd(),
    clock: systemClock,
    outputFiles: [1, 2].flatMap(regularFile),
    readAllInput,
    input: () => process.stdin,
    ask: (question) => askOn(question, { input: process.stdin, output: process.stderr }),
    ...(isatty(0) ? { keys } : {}),
    ...(isatty(0) && process.stdout.isTTY ? { edit: edited } : {}),
    onSignal: (name, listener) => {
      process.on(name, listener);
      return () => void process.off(name, listener);
    },
    every: systemClock.every,
    onExit: (listener) => {
      process.on('exit', listener);
      return () => void process.off('exit', listener);
    },
    // As the terminal does, this also stops the process that started this program.
    stopHere: () => {
      process.kill(0, 'SIGTSTP');
      setTimeout(() => {}, STOPPED_MS);
    },
    exitNow: (code) => process.exit(code),
    kill: (pid) => void process.kill(pid, 'SIGKILL'),
    block: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  };
}
