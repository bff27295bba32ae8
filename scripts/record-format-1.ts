// node scripts/run.mjs scripts/record-format-1.ts DIST [NAME…]: runs the build of commit 4c35833, whose
// `dist` is given, and puts the state directories it leaves behind, with what it then tells of them,
// into test/fixtures/format-1. Only a build that writes format 1 can make them anew.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MODEL } from '../test/support/e2e-model.ts';
import { type FakeOllama, startFakeOllama } from '../test/support/fake-ollama.ts';
import { FIXTURES, FORMAT_1, type Format1Run, type Start } from '../test/support/format-1.ts';
import {
  type Agent,
  type Answered,
  filesIn,
  historyOf,
  inCopyOf,
  journalIn,
  putFiles,
  resumeIn,
  runsOf,
  statusOf,
  undoIn,
} from '../test/support/format-1-observed.ts';

const [dist = '', ...names] = process.argv.slice(2);
const bin = resolve(dist, 'bin.js');
if (dist === '' || !existsSync(bin)) {
  console.error('usage: node scripts/run.mjs scripts/record-format-1.ts DIST [NAME…]');
  process.exit(2);
}
const home = mkdtempSync(join(tmpdir(), 'tardigrade-home-'));

/** Made anew with every start, and with what only this machine is called. */
const LEFT_OUT = new Set(['lock', 'reserve', '.gitignore']);

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

const oldAgent: Agent = (words, folder) => start(words, folder).ended;

async function untilRecord(hold: string, child: ChildProcess, folder: string): Promise<void> {
  const [type = '', count = ''] = hold.split(':');
  const seen = () => {
    const journal = journalIn(folder);
    const lines = existsSync(journal) ? readFileSync(journal, 'utf8').split('\n') : [];
    return lines.filter((line) => line.includes(`"type":"${type}"`)).length;
  };
  while (seen() < Number(count)) {
    if (child.exitCode !== null) throw new Error(`It ended before ${hold}.`);
    await sleep(20);
  }
  // A command that it started comes to its end beside it.
  await sleep(500);
}

async function work({ words, stop }: Start, folder: string, server: FakeOllama): Promise<Answered> {
  const isRun = words[0] === 'run';
  const all = isRun ? [...words, '--model', MODEL, '--host', server.url] : words;
  const env = stop.at === 'record' ? { TARDIGRADE_HOLD_AFTER: stop.hold } : {};
  const { child, ended } = start(all, folder, env);
  if (stop.at === 'record') await untilRecord(stop.hold, child, folder);
  if (stop.at === 'turn') await Promise.race([server.whenChat(stop.n), ended]);
  if (stop.at !== 'end') {
    if (child.exitCode !== null) throw new Error('It ended before it was killed.');
    child.kill('SIGKILL');
  }
  return ended;
}

/** Answers that are never given: their client is killed while it waits. */
const never = new Promise<void>(() => {});

async function record(run: Format1Run): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tardigrade-record-'));
  const held = run.starts.flatMap(({ stop }) => (stop.at === 'turn' ? [stop.n] : []));
  const server = await startFakeOllama({
    script: async (request, n) => {
      const reply = await run.model(request, n);
      return held.includes(n) ? { ...reply, beforeHeaders: never } : reply;
    },
  });
  const fixture = join(FIXTURES, run.name);
  try {
    putFiles(folder, run.before);
    for (const one of run.starts) {
      const { exitCode, stderr } = await work(one, folder, server);
      console.log(`${run.name}: ${exitCode} ${stderr.trimEnd().split('\n').at(-1)}`);
    }
    const [opened = ''] = readFileSync(journalIn(folder), 'utf8').split('\n');
    if (JSON.parse(opened).format !== 1) throw new Error(`${bin} does not write format 1.`);
    rmSync(fixture, { recursive: true, force: true });
    mkdirSync(fixture, { recursive: true });
    putFiles(join(fixture, 'workspace'), filesIn(folder));
    cpSync(join(folder, '.agent_context'), join(fixture, 'agent_context'), {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(basename(path)),
    });
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
  await observe(run, fixture);
}

async function observe(run: Format1Run, fixture: string): Promise<void> {
  const read = await inCopyOf(fixture, async (folder) => ({
    status: await statusOf(oldAgent, folder),
    history: await historyOf(oldAgent, folder),
    runs: await runsOf(oldAgent, folder),
  }));
  const undo = await inCopyOf(fixture, (folder) => undoIn(oldAgent, folder, run.before));
  const { told, bodies } = await inCopyOf(fixture, (folder) => resumeIn(oldAgent, folder, run));
  const expected = { ...read, undo, resume: told };
  writeFileSync(join(fixture, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
  const [next] = bodies;
  if (next !== undefined) writeFileSync(join(fixture, 'next-request.json'), next);
  console.log(`  then: ${told.exitCode} ${told.state}, ${bodies.length} requests`);
}

for (const run of FORMAT_1) {
  if (names.length === 0 || names.includes(run.name)) await record(run);
}
rmSync(home, { recursive: true, force: true });
