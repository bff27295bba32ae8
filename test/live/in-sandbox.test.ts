/** What a program of a confined run finds of its user's keys and channels: it tries from inside. */
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { userResources } from '../../src/host/user/user-resources.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { hasSandbox, sandboxedIn } from '../support/sandboxed.ts';

let undo: (() => void)[] = [];
afterEach(() => {
  for (const one of undo.reverse()) one();
  undo = [];
});

/** Prints the names of what could be done. */
const TRIES = `
const fs = require('node:fs'), net = require('node:net'), path = require('node:path');
const [data, runtime, socket, port] = process.argv.slice(1);
const could = [];
const attempt = (name, act) => { try { act(); could.push(name); } catch {} };
attempt('key', () => fs.readFileSync(path.join(data, 'origin.key')));
attempt('addresses', () => fs.readdirSync(path.join(data, 'live')));
attempt('new file in the data folder', () => fs.writeFileSync(path.join(data, 'made'), 'x'));
attempt('sockets', () => { if (fs.readdirSync(runtime).length === 0) throw new Error('none'); });
attempt('new socket', () => fs.writeFileSync(path.join(runtime, 'made'), 'x'));
attempt('answers', () => fs.writeFileSync('.agent_context/answers/${'ab'.repeat(16)}', 'x'));
const call = (name, where) => new Promise((done) =>
  net.connect(where).on('connect', () => { could.push(name); done(); }).on('error', done));
call('socket', { path: socket }).then(() => call('http', { port: Number(port), host: '127.0.0.1' }))
  .then(() => { console.log('tried:' + could.join(',') + ';'); process.exit(0); });
`;

const listening = async (where: { path: string } | { port: number; host: string }) => {
  let callers = 0;
  const server = createServer((socket) => {
    callers += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(where, () => resolve()));
  undo.push(() => server.close());
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    callers: () => callers,
  };
};

function folder(at = tmpdir()): string {
  const made = realpathSync(mkdtempSync(join(at, 'w-')));
  undo.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe.skipIf(!hasSandbox)('in the sandbox', () => {
  test.each([
    ['beside the workspace', () => ({ workspace: folder(), around: folder() })],
    [
      'in the home of the user, which is the workspace',
      () => {
        const workspace = folder();
        return { workspace, around: workspace };
      },
    ],
    ['in the real home', () => ({ workspace: folder(), around: folder(homedir()) })],
  ])('no key, no socket, no answer can be reached that lies %s', async (_, places) => {
    const { workspace, around } = places();
    const [data, runtime] = [join(around, 'share'), join(around, 'run')];
    const env = { ...process.env, HOME: around, XDG_DATA_HOME: data, XDG_RUNTIME_DIR: runtime };
    const { machine, own, dataFolder } = userResources({
      ...{ env, platform: process.platform, arch: 'x64', cwd: workspace },
      ...{ nodePath: process.execPath, programFolder: '/', clock: systemClock },
    });
    expect(own.findOrMake().kind).toBe('ok');
    const sockets = join(runtime, 'tardigrade-agent');
    mkdirSync(sockets, { recursive: true, mode: 0o700 });
    mkdirSync(join(dataFolder, 'live'));
    writeFileSync(join(dataFolder, 'live', 'note.json'), '{}');
    mkdirSync(join(workspace, '.agent_context', 'answers'), { recursive: true });
    const socket = join(sockets, 'a.sock');
    const [channel, http] = [
      await listening({ path: socket }),
      await listening({ port: 0, host: '127.0.0.1' }),
    ];
    const words = ['-e', TRIES, dataFolder, sockets, socket, String(http.port)];
    const { run } = await sandboxedIn(workspace, machine);
    const outcome = await run('node', words);
    expect(outcome).toMatchObject({ kind: 'exited', output: expect.stringContaining('tried:;') });
    expect([channel.callers(), http.callers()]).toEqual([0, 0]);
    expect(readdirSync(sockets)).toEqual(['a.sock']);
    expect(readdirSync(join(workspace, '.agent_context', 'answers'))).toEqual([]);
  });
});
