import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignalName, Sink, Terminal } from '../../src/cli/process/terminal.ts';
import { initialState } from '../../src/context-manager/fold/initial.ts';
import type { RunResult } from '../../src/run/result.ts';
import type { RunEvent } from '../../src/schema/events/events.ts';
import { NO_USAGE } from '../../src/schema/model/turn.ts';
import { FORMAT_VERSION, type JournalRecord, type Stamped } from '../../src/schema/records.ts';
import type { RunState } from '../../src/schema/state.ts';
import { PLAN } from './plan-sample.ts';

export { type FakeEngine, fakeEngine, REPAIR_PLAN } from './fake-engine.ts';
export { PLAN } from './plan-sample.ts';

/** A sink that remembers, with a window of its own size. */
export interface MemorySink extends Sink {
  text(): string;
  /** Calls once with the next text. */
  onNext(listener: () => void): void;
  resize(columns: number, rows: number): void;
  close(): void;
}

export function memorySink(isTerminal = false): MemorySink {
  let written = '';
  let size = { columns: 80, rows: 24 };
  let isClosed = false;
  let waiting: (() => void)[] = [];
  return {
    isTerminal,
    size: () => size,
    write: (text) => {
      written += text;
      const told = waiting;
      waiting = [];
      for (const tell of told) tell();
    },
    text: () => written,
    onNext: (listener) => void waiting.push(listener),
    isClosed: () => isClosed,
    close: () => {
      isClosed = true;
    },
    resize: (columns, rows) => {
      size = { columns, rows };
    },
  };
}

export interface FakeTerminal extends Terminal {
  readonly stdout: MemorySink;
  readonly stderr: MemorySink;
  /** Moves the clock and runs the timers that are due. */
  advance(ms: number): void;
  send(name: SignalName): void;
  readonly exits: number[];
  readonly questions: string[];
  readonly blocks: number[];
  readonly kills: number[];
  /** Ends the process as something unforeseen does. */
  crash(): void;
  /** How often it was stopped as by Ctrl+Z. */
  readonly stops: number[];
  /** Sends keys, as a terminal in raw mode does; false where nobody reads them. */
  type(keys: string): boolean;
  /** Timers and signal listeners nobody has taken down. */
  leftovers(): number;
}

/** What the program keeps of its user goes into a folder of this process, never into a real home. */
function dataFolderOfTests(): { readonly [name: string]: string } {
  const sockets = process.env.XDG_RUNTIME_DIR ?? '';
  return {
    ...{ XDG_DATA_HOME: DATA_FOLDER, LOCALAPPDATA: DATA_FOLDER, HOME: DATA_FOLDER },
    XDG_RUNTIME_DIR: sockets,
  };
}

const DATA_FOLDER = join(tmpdir(), `tardigrade-data-${process.pid}`);
process.once('exit', () => rmSync(DATA_FOLDER, { recursive: true, force: true }));

export interface FakeTerminalOptions {
  readonly isTerminal?: boolean;
  readonly env?: Terminal['env'];
  readonly platform?: NodeJS.Platform;
  readonly cwd?: string;
  readonly input?: string;
  readonly answer?: string;
}

export function fakeTerminal(options: FakeTerminalOptions = {}): FakeTerminal {
  let now = 1_000_000;
  const timers = new Map<object, { every: number; due: number; action: () => void }>();
  const listeners: { name: SignalName; listener: () => void }[] = [];
  const exits: number[] = [];
  const questions: string[] = [];
  const blocks: number[] = [];
  const kills: number[] = [];
  const stops: number[] = [];
  const exitListeners = new Set<() => void>();
  let onKeys: ((text: string) => void) | null = null;
  const stderr = memorySink(options.isTerminal ?? false);
  const isTerminal = options.isTerminal ?? false;
  return {
    stdout: memorySink(isTerminal),
    stderr,
    draw: stderr.write,
    readKeys: isTerminal
      ? (listener) => {
          onKeys = listener;
          return () => {
            onKeys = null;
          };
        }
      : null,
    type: (keys) => {
      onKeys?.(keys);
      return onKeys !== null;
    },
    stops,
    isForeground: () => true,
    stopHere: () => void stops.push(now),
    onExit: (listener) => {
      exitListeners.add(listener);
      return () => void exitListeners.delete(listener);
    },
    crash: () => {
      for (const listener of [...exitListeners]) listener();
    },
    stdinIsTerminal: isTerminal,
    env: { ...dataFolderOfTests(), ...(options.env ?? { LANG: 'C.UTF-8' }) },
    platform: options.platform ?? 'linux',
    arch: 'x64',
    nodePath: process.execPath,
    cwd: options.cwd ?? '.',
    version: '1.2.3',
    program: 'agent',
    self: ['node', 'bin.cjs'],
    programFolder: 'dist',
    clock: { now: () => now, monotonic: () => now, sleep: () => Promise.resolve() },
    readAllInput: () => Promise.resolve(options.input ?? ''),
    input: async function* () {
      yield Buffer.from(options.input ?? '');
    },
    ask: (question) => {
      questions.push(question);
      return Promise.resolve(options.answer ?? '');
    },
    onSignal: (name, listener) => {
      const entry = { name, listener };
      listeners.push(entry);
      return () => void listeners.splice(listeners.indexOf(entry), 1);
    },
    every: (ms, action) => {
      const key = {};
      timers.set(key, { every: ms, due: now + ms, action });
      return () => void timers.delete(key);
    },
    exitNow: (code) => void exits.push(code),
    kill: (pid) => void kills.push(pid),
    block: (ms) => void blocks.push(ms),
    advance: (ms) => {
      const end = now + ms;
      for (;;) {
        const next = [...timers.values()].sort((one, other) => one.due - other.due)[0];
        if (next === undefined || next.due > end) break;
        now = next.due;
        next.due += next.every;
        next.action();
      }
      now = end;
    },
    send: (name) => {
      for (const entry of [...listeners]) if (entry.name === name) entry.listener();
    },
    exits,
    questions,
    blocks,
    kills,
    leftovers: () => timers.size + listeners.length + exitListeners.size,
  };
}

const NODE_COMMAND: RunState['commands'][number] = {
  cmd: 'node hello.js',
  stdin: null,
  status: 'ok',
  exitCode: 0,
  subtask: '1.2',
  head: 'Hello',
  offset: 0,
  asksForInput: null,
};

/** A run in its second subtask; everything not named is as the fold leaves it at the start. */
export function runState(changes: Partial<RunState> = {}): RunState {
  const opened = {
    type: 'run_opened',
    format: FORMAT_VERSION,
    run: 'run-1',
    goal: 'Write a hello world script',
    goalHash: 'hash',
    startedAt: 1_700_000_000_000,
    version: '1.2.3',
    program: 'agent',
  } as const;
  const start = initialState({ ...opened, seq: 1, ts: opened.startedAt, offset: 0 });
  const known = { baseline: null, rejected: null, problems: [], defines: [], prompts: [] };
  return {
    ...start,
    phase: { name: 'deciding' },
    plan: PLAN,
    counters: {
      ...start.counters,
      rounds: 2,
      roundsSinceResume: 2,
      turns: 4,
      actions: 2,
      commands: 1,
    },
    files: {
      'hello.js': { ...known, hash: 'aa', written: true },
      'seen.txt': { ...known, hash: 'bb', written: false, baseline: 'bb' },
    },
    commands: [NODE_COMMAND],
    usage: {
      total: { ...NO_USAGE, input: 1200, output: 34, modelMs: 2400 },
      last: null,
      lastChars: 0,
      floor: {},
    },
    ...changes,
  };
}

/** Stamps records one after the other, as this build does. */
export function stamp(records: readonly JournalRecord[]): Stamped[] {
  return records.map((record, index) => ({
    ...record,
    seq: index + 1,
    ts: Date.UTC(2026, 0, 2, 3, 4, 5) + index * 1000,
    durable: index,
  }));
}

export const asEvent = (record: Stamped, state: RunState = runState()): RunEvent => ({
  type: 'record',
  record,
  state,
});

export const NOTHING_MADE = {
  undo: 'agent undo',
  apply: 'agent apply',
  diff: 'agent diff',
  agent: 'agent',
  again: { name: 'again', words: '--again' },
  printed: '',
  patches: [],
};

export const achieved = (answer: string | null = null): RunResult => ({
  ending: 'achieved',
  detail: '',
  answer,
  state: runState({ ended: { ending: 'achieved', detail: '' } }),
});

export const paused = (why: Extract<RunResult, { ending: 'paused' }>['why']): RunResult => ({
  ending: 'paused',
  why,
  detail: 'the reason',
  hint: '',
  answer: null,
  state: runState({ paused: { why, detail: 'the reason', hint: '' } }),
});

/**
 * The parts of the screen come in while it waits. Asked for again they are here right behind that: the
 * runner's own wait for modules does not see those that Node loads by itself.
 */
export async function liveScreenLoaded(): Promise<void> {
  await import('../../src/cli/screen/live-screen.ts');
}
