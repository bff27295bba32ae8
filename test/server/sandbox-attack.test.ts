/** A program that a confined run of the server has started tries to answer for a person, from inside: nothing is in its reach. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { agentLab, recordsIn, stateFile } from '../support/e2e-agent.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import { hasSandbox } from '../support/sandboxed.ts';
import {
  called,
  DONE,
  MODEL,
  modelSaying,
  PLAN,
  type Served,
  serveIn,
  until,
} from '../support/server-lab.ts';

const lab = agentLab();
let ollama: FakeOllama | undefined;
let served: Served | undefined;
afterEach(async () => {
  await served?.agent.kill();
  await ollama?.close();
});

if (!hasSandbox)
  process.stdout.write('no sandbox here: the attacks from inside one are not tried\n');

/** Prints the names of what could be done. */
const ATTACK = `
const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
const [data, socket, port] = process.argv.slice(2);
const runtime = path.dirname(socket);
const could = [];
const attempt = (name, act) => { try { act(); could.push(name); } catch {} };
const some = (list) => { if (list.length === 0) throw new Error('none'); };
attempt('key', () => fs.readFileSync(path.join(data, 'origin.key')));
attempt('token', () => fs.readFileSync(path.join(data, 'serve', 'at-' + port + '.json')));
attempt('addresses', () => some(fs.readdirSync(path.join(data, 'live'))));
attempt('wishes', () => some(fs.readdirSync(path.join(data, 'serve', 'runs'))));
attempt('runtime folder', () => some(fs.readdirSync(runtime)));
attempt('answers', () => {
  fs.mkdirSync('.agent_context/answers', { recursive: true });
  fs.writeFileSync('.agent_context/answers/${'ab'.repeat(16)}', '{}');
});
const call = (name, where) => new Promise((done) =>
  net.connect(where).on('connect', () => { could.push(name); done(); }).on('error', () => done()));
call('socket', { path: socket }).then(() => call('http', { port: Number(port), host: '127.0.0.1' }))
  .then(() => { console.log('could:' + could.join(',') + ';'); process.exit(0); });
`;

const ALL = 'key,token,addresses,wishes,runtime folder,answers,socket,http';

test.skipIf(!hasSandbox)(
  'a program of a confined run reaches neither key, token, channel, answers nor the server; one that is not confined reaches all',
  async () => {
    const folder = lab.folder({ 'attack.cjs': ATTACK });
    const data = join(`${folder}.data`, 'tardigrade-agent');
    const socketNow = (): string => {
      const [note = ''] = readdirSync(join(data, 'live'));
      return JSON.parse(readFileSync(join(data, 'live', note), 'utf8')).address;
    };
    let words: readonly string[] = [];
    let unconfined = '';
    ollama = await modelSaying((n) => {
      if (n === 1) return PLAN;
      if (n > 2) return DONE;
      words = ['attack.cjs', data, socketNow(), new URL(served?.url ?? '').port];
      // The same words outside: what is refused inside is there.
      unconfined = execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
      return called('run_cmd', {
        cmd: ['node', ...words.map((word) => JSON.stringify(word))].join(' '),
      });
    });
    served = await serveIn(lab, folder, { OLLAMA_HOST: ollama.url });
    const { client } = served;
    const { id } = await client.startRun({
      ...{ workspace: folder, goal: 'Attack', model: `ollama/${MODEL}`, sandbox: 'require' },
      allow: ['run_cmd(node attack.cjs *)'],
    });
    await until(client.run(id).events(), ({ event }) => event === 'bye');
    expect(unconfined).toContain(`could:${ALL};`);
    const results = recordsIn(folder, 'action_finished').filter(({ tool }) => tool === 'run_cmd');
    expect(results).toHaveLength(1);
    expect(JSON.stringify(results[0]?.result)).toContain('could:;');
    // What was laid there is the test's own, from outside.
    expect(readdirSync(stateFile(folder, 'answers'))).toEqual(['ab'.repeat(16)]);
    expect(dirname(words[2] ?? '')).not.toBe(folder);
  },
);
