/**
 * The built `agent` in folders of its own.
 *
 * Owns a temporary home and the workspaces made in it; all of it goes when the test file ends.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, vi } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { createEngine } from '../../src/host/create-engine.ts';
import { systemClock } from '../../src/lib/clock.ts';
import type { RecordOf, RecordType, Stamped } from '../../src/schema/records.ts';
import { fakeTerminal } from '../cli/support.ts';
import { COMPILED } from './compiled.ts';
import { copiedProgram } from './copied-build.ts';
import { onQuickMachine } from './quick-machine.ts';

export interface AgentOptions {
  /** The folder it stands in. */
  readonly in: string;
  readonly env?: { readonly [name: string]: string };
  readonly input?: string;
}

export interface AgentEnd {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** One that is at work, here or in a process of its own. */
export interface WorkingAgent {
  readonly ended: Promise<AgentEnd>;
  /** What it has said so far, on stdout and stderr. */
  said(): string;
}

export interface RunningAgent extends WorkingAgent {
  readonly pid: number;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
}

export interface AgentLab {
  readonly bin: string;
  /** What it is started with, for who starts it otherwise than here. */
  environment(options: AgentOptions): { readonly [name: string]: string };
  /** A fresh empty folder; the files are put into it. */
  folder(files?: { readonly [path: string]: string }): string;
  /** Runs it to its end. */
  agent(args: readonly string[], options: AgentOptions): Promise<AgentEnd>;
  /**
   * The same command line in this very process, where a test is about what it does and says: a start takes
   * longer than all that a short run does. Commands of Node and Python that were run before on the same files are told
   * again.
   */
  here(args: readonly string[], options: AgentOptions): Promise<AgentEnd>;
  /** The same, while it is at work. */
  startHere(args: readonly string[], options: AgentOptions): WorkingAgent;
  start(args: readonly string[], options: AgentOptions): RunningAgent;
  /** Starts it and waits until it stands still right after the `count`-th record of this type. */
  startUntil(
    record: `${RecordType}:${number}`,
    args: readonly string[],
    options: AgentOptions,
  ): Promise<RunningAgent>;
}

/** @param isEachStarted also each command of a work in this process: for tests of what commands do elsewhere */
export function agentLab({ isEachStarted = false } = {}): AgentLab {
  // A start takes 0.3 s, and many times that where the machine is busy.
  vi.setConfig({ testTimeout: 180_000 });
  const home = mkdtempSync(join(tmpdir(), 'tardigrade-e2e-'));
  // Some tests work in this process alone.
  let copied: string | null = null;
  const program = (): string => {
    copied ??= copiedProgram();
    return copied;
  };
  let folders = 0;
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

  const environment = (options: AgentOptions): { [name: string]: string } => ({
    ...harmlessEnvironment(),
    ...dataFolderOf(options.in),
    XDG_CACHE_HOME: COMPILED,
    ...options.env,
  });
  const start: AgentLab['start'] = (args, options) => {
    const child = execa(process.execPath, [program(), ...args], {
      cwd: options.in,
      env: environment(options),
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
      ...(options.input === undefined ? { stdin: 'ignore' } : { input: options.input }),
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer | string) => {
        said += chunk.toString();
      });
    return {
      pid: child.pid ?? 0,
      said: () => said,
      ended: child.then(({ exitCode, stdout, stderr }) => ({ exitCode, stdout, stderr })),
      kill: async () => {
        child.kill('SIGKILL');
        await child;
      },
    };
  };

  const startHere: AgentLab['startHere'] = (args, options) =>
    agentHere(args, options, environment(options), isEachStarted);

  return {
    get bin() {
      return program();
    },
    environment,
    start,
    folder: (files = {}) => {
      folders += 1;
      const folder = join(home, `work ${folders}`);
      mkdirSync(folder);
      for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
      return folder;
    },
    agent: (args, options) => start(args, options).ended,
    here: (args, options) => startHere(args, options).ended,
    startHere,
    startUntil: async (record, args, options) => {
      const [type = '', count = ''] = record.split(':');
      const before = countOf(options.in, type);
      const env = { ...options.env, TARDIGRADE_HOLD_AFTER: record };
      const running = start(args, { ...options, env });
      await expect
        .poll(() => countOf(options.in, type) - before, { timeout: 50_000, interval: 10 })
        .toBeGreaterThanOrEqual(Number(count));
      return running;
    },
  };
}

function agentHere(
  args: readonly string[],
  { in: cwd, input }: AgentOptions,
  env: { readonly [name: string]: string },
  isEachStarted: boolean,
): WorkingAgent {
  const { platform } = process;
  const given = { cwd, env, platform, ...(input === undefined ? {} : { input }) };
  const made = { ...fakeTerminal(given), clock: systemClock };
  const terminal = isEachStarted ? made : onQuickMachine(made);
  const { stdout, stderr } = terminal;
  const ending = main(args, terminal, async (accounts) =>
    createEngine(accounts === null ? terminal : { ...terminal, accounts }),
  );
  return {
    said: () => stdout.text() + stderr.text(),
    ended: ending.then((exitCode) => ({ exitCode, stdout: stdout.text(), stderr: stderr.text() })),
  };
}

/** The environment of a user who has set nothing up; programs are found as they are here. */
const harmlessEnvironment = (): { [name: string]: string } =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ||
      /^(OLLAMA_|ANTHROPIC_|OPENAI_|OPENROUTER_|TARDIGRADE_|VITEST|NODE_|FORCE_COLOR)/.test(name)
        ? []
        : [[name, value]],
    ),
  );

/** What is learnt of a model in one test is not there in another. */
const dataFolderOf = (folder: string): { [name: string]: string } => ({
  XDG_DATA_HOME: `${folder}.data`,
  LOCALAPPDATA: `${folder}.data`,
  XDG_CONFIG_HOME: `${folder}.config`,
  APPDATA: `${folder}.config`,
});

export const stateFile = (folder: string, name: string): string =>
  join(folder, '.agent_context', name);

/** The records of the current journal, as they lie on disk. */
export function journalOf(folder: string): readonly Stamped[] {
  const file = stateFile(folder, 'history.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

export const recordsIn = <Type extends RecordType>(
  folder: string,
  type: Type,
): readonly (RecordOf<Type> & Stamped)[] =>
  journalOf(folder).filter((record): record is RecordOf<Type> & Stamped => record.type === type);

const countOf = (folder: string, type: string): number =>
  journalOf(folder).filter((record) => record.type === type).length;

/** The last line of `--json`, read. */
export const resultOf = ({ stdout }: AgentEnd): Record<string, unknown> =>
  JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? 'null');
