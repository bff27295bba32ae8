// The build of an earlier commit as a process: started, stopped where a recording wants it, and looked at.
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, MODEL } from '../../test/support/e2e-model.ts';
import { type FakeOllama, startFakeOllama } from '../../test/support/fake-ollama.ts';
import type { Start } from '../../test/support/format-1.ts';
import type { Agent, Answered } from '../../test/support/format-1-observed.ts';

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
  prepare(folder: string): void;
  /** The journal that a stop at a record is about. */
  journalIn(folder: string): string;
}

export const copyState = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });

/** @param bin the built program; @param home the folder of its user. */
export function oldBuild(bin: string, home: string): OldBuild {
  function start(words: readonly string[], folder: string, env: Record<string, string> = {}) {
    const child = spawn(process.execPath, [bin, ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', LANG: 'C.UTF-8', ...env },
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
    { words, stop }: Start,
    folder: string,
    server: FakeOllama,
    journalIn: Playing['journalIn'],
  ): Promise<Answered> {
    const asksModel = words[0] === 'run' || words[0] === 'chat';
    const all = asksModel ? [...words, '--model', MODEL, '--host', server.url] : words;
    const env = stop.at === 'record' ? { TARDIGRADE_HOLD_AFTER: stop.hold } : {};
    const { child, ended } = start(all, folder, env);
    if (stop.at === 'record') await untilRecord(stop.hold, child, () => journalIn(folder));
    if (stop.at === 'turn') await Promise.race([server.whenChat(stop.n), ended]);
    if (stop.at !== 'end') {
      if (child.exitCode !== null) throw new Error('It ended before it was killed.');
      child.kill('SIGKILL');
    }
    return ended;
  }

  async function play(playing: Playing, done: (folder: string) => void | Promise<void>) {
    const folder = mkdtempSync(join(tmpdir(), 'tardigrade-record-'));
    const held = playing.starts.flatMap(({ stop }) => (stop.at === 'turn' ? [stop.n] : []));
    const server = await startFakeOllama({
      script: async (request, n) => {
        const reply = await playing.model(request, n);
        return held.includes(n) ? { ...reply, beforeHeaders: never } : reply;
      },
    });
    try {
      playing.prepare(folder);
      for (const one of playing.starts) {
        const { exitCode, stderr } = await work(one, folder, server, playing.journalIn);
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
