// The build of an earlier commit as a process: started, stopped where a recording wants it, and looked at.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type Answer, MODEL } from '../../test/support/e2e-model.ts';
import {
  type FakeOllama,
  type FakeOllamaOptions,
  startFakeOllama,
} from '../../test/support/fake-ollama.ts';
import type { Start, Stop } from '../../test/support/format-1.ts';
import type { Agent, Answered } from '../../test/support/format-1-observed.ts';
import { pseudoTerminal, ShellInTerminal } from '../../test/support/shell-in-terminal.ts';

/** Made anew with every start, and with what only this machine is called. */
const LEFT_OUT = new Set(['lock', 'reserve', '.gitignore']);

export interface OldBuild {
  readonly agent: Agent;
  /** Plays all starts in a fresh folder; `done` looks at what they left. */
  play(playing: Playing, done: (folder: string) => void | Promise<void>): Promise<void>;
}

export interface Playing {
  readonly name: string;
  readonly starts: readonly Start[];
  readonly model: Answer;
  /** What the model is called; left out: the one of all tests. */
  readonly asks?: string;
  /** What else is to be known of its server. */
  readonly ollama?: Pick<FakeOllamaOptions, 'models'>;
  prepare(folder: string): void;
  /** The journal that a stop at a record is about. */
  journalIn(folder: string): string;
}

interface Typed {
  readonly all: readonly string[];
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly types: NonNullable<Start['types']>;
}

/** A key that answers a question counts only after a while. */
const QUIET_MS = 600;

const DEATH = resolve('scripts/lib/die-after.mjs');

export const copyState = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });

/** @param bin the built program; @param home the folder of its user. */
export function oldBuild(bin: string, home: string): OldBuild {
  const { PATH = '' } = process.env;
  const own = { PATH, HOME: home, NO_COLOR: '1', LANG: 'C.UTF-8' };
  function start(words: readonly string[], folder: string, env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [bin, ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...own, ...env },
    });
    const told = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        told[name] += text;
      });
    const ended = new Promise<Answered>((done) =>
      child.once('close', (exitCode) => done({ exitCode, ...told })),
    );
    return { child, ended };
  }

  async function work(
    { words, stop, types }: Start,
    folder: string,
    server: FakeOllama,
    { journalIn, asks: name = MODEL }: Pick<Playing, 'journalIn' | 'asks'>,
  ): Promise<Answered> {
    const asksModel = words[0] === 'run' || words[0] === 'chat';
    const all = asksModel ? [...words, '--model', name, '--host', server.url] : words;
    const env = environmentOf(stop);
    if (types !== undefined) return atTerminal({ all, folder, env, types }, stop);
    const { child, ended } = start(all, folder, env);
    if (stop.at === 'record') await untilRecord(stop.hold, child, () => journalIn(folder));
    if (stop.at === 'turn') await Promise.race([server.whenChat(stop.n), ended]);
    if (stop.at === 'record' || stop.at === 'turn') {
      if (child.exitCode !== null) throw new Error('It ended before it was killed.');
      child.kill('SIGKILL');
    }
    const answered = await ended;
    if (stop.at === 'death' && answered.exitCode !== null) throw new Error('It ended by itself.');
    return answered;
  }

  /** In a shell, as a person would. */
  async function atTerminal({ all, folder, env, types }: Typed, { at }: Stop): Promise<Answered> {
    const pty = await pseudoTerminal();
    if (pty === null) throw new Error('There is no terminal here.');
    const shell = new ShellInTerminal(pty, {
      ...{ columns: 120, rows: 60, cwd: folder },
      env: { ...own, ...env },
    });
    const line = [process.execPath, bin, ...all].map((word) => `'${word}'`).join(' ');
    shell.type(`${line}; echo "ended with $?"\r`);
    for (const [seen, keys] of types) {
      await shell.shows(seen);
      await sleep(QUIET_MS);
      shell.type(keys);
    }
    const screen = await shell.shows(/ended with \d/);
    shell.close();
    const [, code] = /ended with (\d+)/.exec(screen) ?? [];
    if ((code === '137') !== (at === 'death')) throw new Error(`It ended with ${code}:\n${screen}`);
    return { exitCode: Number(code), stdout: screen, stderr: '' };
  }

  async function play(playing: Playing, done: (folder: string) => void | Promise<void>) {
    const folder = mkdtempSync(join(tmpdir(), 'tardigrade-record-'));
    const held = playing.starts.flatMap(({ stop }) => (stop.at === 'turn' ? [stop.n] : []));
    const server = await startFakeOllama({
      ...playing.ollama,
      script: async (request, n) => {
        const reply = await playing.model(request, n);
        return held.includes(n) ? { ...reply, beforeHeaders: never } : reply;
      },
    });
    try {
      playing.prepare(folder);
      for (const one of playing.starts) {
        const { exitCode, stderr } = await work(one, folder, server, playing);
        console.log(`${playing.name}: ${exitCode} ${stderr.trimEnd().split('\n').at(-1)}`);
      }
      await done(folder);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  return { agent: (words, folder) => start(words, folder).ended, play };
}

function environmentOf(stop: Stop): Record<string, string> {
  if (stop.at === 'record') return { TARDIGRADE_HOLD_AFTER: stop.hold };
  if (stop.at !== 'death') return {};
  return { DIE_AFTER: stop.after, NODE_OPTIONS: `--import=${pathToFileURL(DEATH)}` };
}

/** Answers that are never given: their client is killed while it waits. */
const never = new Promise<void>(() => {});

async function untilRecord(
  hold: string,
  child: ChildProcess,
  journal: () => string,
): Promise<void> {
  const [type = '', count = ''] = hold.split(':');
  const seen = () => {
    const lines = existsSync(journal()) ? readFileSync(journal(), 'utf8').split('\n') : [];
    return lines.filter((line) => line.includes(`"type":"${type}"`)).length;
  };
  while (seen() < Number(count)) {
    if (child.exitCode !== null) throw new Error(`It ended before ${hold}.`);
    await sleep(20);
  }
  // A command that it started comes to its end beside it.
  await sleep(500);
}

/** Throws unless the journal begins with a record of that format. */
export function expectFormat(journal: string, format: number): void {
  const [opened = ''] = readFileSync(journal, 'utf8').split('\n');
  if (JSON.parse(opened).format !== format)
    throw new Error(`The build does not write format ${format}.`);
}
