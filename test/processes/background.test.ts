import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import {
  type BackgroundExit,
  type BackgroundPorts,
  type BackgroundProcess,
  type BackgroundRequest,
  type StartBackground,
  startInBackground,
} from '../../src/processes/background.ts';
import { startTimeOf } from '../../src/processes/identity.ts';
import { killProcessTree } from '../../src/processes/kill-tree.ts';
import { addressesOf } from '../../src/processes/listening.ts';
import { openProcess } from '../../src/processes/open-process.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';
import type { Command, SandboxBoundaries } from '../../src/processes/sandbox/contract.ts';
import { openConfined, startConfined } from '../../src/processes/sandbox/run-confined.ts';
import { starterOf } from '../../src/processes/starter.ts';
import { fake } from './fake-system.ts';
import { nodeRequest } from './support.ts';

const system = operatingSystem(process.platform);
const ports: BackgroundPorts = {
  platform: process.platform,
  clock: systemClock,
  startTime: (pid) => startTimeOf(pid, system),
  killTree: (pid) => killProcessTree(pid, system, systemClock),
  starter: starterOf(system),
  addressesOf: (pid) => addressesOf(pid, system),
};
const isLinux = process.platform === 'linux';
const never = new AbortController().signal;

const started: BackgroundProcess[] = [];
afterEach(async () => {
  for (const one of started.splice(0)) await one.end();
});

async function start(script: string, onSpawn = (_pid: number, _startTime: string) => {}) {
  const one = await startInBackground(nodeRequest(script), { onSpawn }, ports);
  if (typeof one === 'string') throw new Error(one);
  started.push(one);
  return one;
}

const prints = async (one: BackgroundProcess, text: string): Promise<void> => {
  while (!one.output().text.includes(text)) {
    if (one.exit() !== null) throw new Error(`it ended: ${one.output().text}`);
    await one.wait(10_000, never);
  }
};

const isAlive = (pid: number): boolean => startTimeOf(pid, system) !== null;

describe('a program in the background', () => {
  it('prints, waits for connections where the system tells it, and is ended with its children', async () => {
    let pid = 0;
    const one = await start(
      `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
       require('node:net').createServer().listen(0, '127.0.0.1', function () {
         console.error('child ' + child.pid); console.log('port ' + this.address().port); });`,
      (id) => {
        pid = id;
      },
    );
    await prints(one, 'port');
    const [, port] = /port (\d+)/.exec(one.output().text) ?? [];
    const [, child] = /child (\d+)/.exec(one.output().text) ?? [];
    expect(one.addresses()).toEqual(isLinux ? [`127.0.0.1:${port}`] : []);
    expect(one.exit()).toBeNull();
    await one.end();
    expect([isAlive(pid), isAlive(Number(child))]).toEqual([false, false]);
    expect(one.exit()).not.toBeNull();
    expect(one.addresses()).toEqual([]);
  });

  it('has ended with its code and all that it printed, and is woken for at once', async () => {
    const one = await start('console.log("a"); console.error("b"); process.exitCode = 3;');
    while (one.exit() === null) await one.wait(10_000, never);
    expect(one.exit()).toEqual({ exitCode: 3, signal: null });
    expect(one.output().text.split('\n').sort()).toEqual(['', 'a', 'b']);
    expect(one.printed()).toBeGreaterThan(0);
    await one.wait(1e9, never);
  });

  it('keeps of what it prints the beginning and the end', async () => {
    const one = await startInBackground(
      nodeRequest(
        'console.log("first"); for (let n = 0; n < 3000; n += 1) console.log("x".repeat(99)); console.log("last")',
        {
          maxOutputBytes: 10_000,
        },
      ),
      { onSpawn: () => {} },
      ports,
    );
    if (typeof one === 'string') throw new Error(one);
    while (one.exit() === null) await one.wait(10_000, never);
    const { text, leftOutBytes } = one.output();
    expect(text.length).toBeLessThan(11_000);
    expect(text).toMatch(/^first\n[\s\S]*\nlast\n$/);
    expect(leftOutBytes).toBeGreaterThan(280_000);
  });

  it('never begins where its start cannot be recorded', async () => {
    let pid = 0;
    const refused = start('console.log("begun"); setInterval(() => {}, 1000)', (id) => {
      pid = id;
      throw new Error('full');
    });
    await expect(refused).rejects.toThrow('full');
    expect(isAlive(pid)).toBe(false);
  });

  it('says why there is none', async () => {
    const request = { ...nodeRequest(''), file: '/nowhere/tool', cwd: process.cwd() };
    expect(await startInBackground(request, { onSpawn: () => {} }, ports)).toContain('ENOENT');
  });

  it('is not waited for any more when the wait is given up', async () => {
    const one = await start('setInterval(() => {}, 1000)');
    const stop = new AbortController();
    const waiting = one.wait(1e9, stop.signal);
    stop.abort();
    await waiting;
    expect(one.exit()).toBeNull();
  });
});

it('an address is told as people write it', () => {
  const linux = fake('linux');
  const row = (address: string, inode: number) =>
    `  0: ${address} 00000000:0000 0A 00000000:00000000 00:00000000 00000000 0 0 ${inode} 1`;
  const files: { readonly [path: string]: string } = {
    '/proc/50/net/tcp': ['  sl  local', row('0100007F:1FBB', 1), row('00000000:0050', 2)].join(
      '\n',
    ),
    '/proc/50/net/tcp6': [
      '  sl  local',
      row('00000000000000000000000001000000:1F90', 3),
      row('00000000000000000000000000000000:1F91', 4),
      row('0000000000000000FFFF00000100007F:1F92', 5),
      row('B80D0120000000000000000001000000:1F93', 6),
      row('0100007F:1FBC', 7),
    ].join('\n'),
    '/proc/50/stat': `50 (node) S 1 50 50 ${'0 '.repeat(15)}77 0`,
  };
  const look = {
    ...linux,
    readText: (path: string) => files[path] ?? null,
    list: (path: string) => (path === '/proc' ? ['50'] : ['1', '2', '3', '4', '5', '6']),
    readLink: (path: string) => `socket:[${path.split('/').at(-1)}]`,
  };
  expect(addressesOf(50, look)).toEqual([
    '0.0.0.0:80',
    '127.0.0.1:8082',
    '127.0.0.1:8123',
    '[2001:db8:0:0:0:0:0:1]:8083',
    '[::1]:8080',
    '[::]:8081',
  ]);
});

it('a program in the background stands in the sandbox, unless this one was let out', async () => {
  const requests: BackgroundRequest[] = [];
  let exit: BackgroundExit | null = null;
  const inner: StartBackground = async (request) => {
    requests.push(request);
    return {
      ...{ output: () => ({ text: '', leftOutBytes: 0 }), printed: () => 0, addresses: () => [] },
      ...{ exit: () => exit, wait: async () => {} },
      end: async () => {
        exit = { exitCode: null, signal: 'SIGKILL' };
      },
    };
  };
  let looks = 0;
  const sandbox = {
    sandbox: {
      name: 'test',
      commandFor: (command: Command) => ({ ...command, file: '/sandbox', args: [command.file] }),
    },
    around: () => ({
      boundaries: {} as SandboxBoundaries,
      putAside: () => {
        looks += 1;
        return ['.git/hooks/pre-commit'];
      },
    }),
  };
  const start = startConfined(sandbox, inner);
  const one = await start(nodeRequest('1'), { onSpawn: () => {} });
  if (typeof one === 'string') throw new Error(one);
  expect(requests[0]).toMatchObject({
    ...{ file: '/sandbox', args: [process.execPath], program: process.execPath },
  });
  expect([one.exit(), looks]).toEqual([null, 0]);
  await one.end();
  expect(one.exit()).toMatchObject({ signal: 'SIGKILL', putAside: ['.git/hooks/pre-commit'] });
  expect(looks).toBe(1);
  await start({ ...nodeRequest('1'), isUnsandboxed: true }, { onSpawn: () => {} });
  expect(requests[1]).toMatchObject({ file: process.execPath });
});

it('a program with a connection has ended even if what it made cannot be put aside', async () => {
  const ended: string[] = [];
  const open = openConfined(
    {
      sandbox: { name: 'test', commandFor: (command: Command) => command },
      around: () => ({
        boundaries: {} as SandboxBoundaries,
        putAside: () => {
          throw new Error('no space left');
        },
      }),
    },
    (request, hooks) => openProcess(request, hooks, ports),
  );
  const hooks = { onSpawn: () => {}, onText: () => {}, onEnd: (text: string) => ended.push(text) };
  const one = await open(nodeRequest('console.error("bye")'), hooks);
  await one.end();
  expect(ended).toEqual([expect.stringMatching(/^bye\n.*could not be put aside: no space left/)]);
});

it('a confined program that cannot be started holds no place of its own', async () => {
  let looks = 0;
  const sandbox = {
    sandbox: { name: 'test', commandFor: (command: Command) => command },
    around: () => ({
      boundaries: {} as SandboxBoundaries,
      putAside: () => {
        looks += 1;
        return [];
      },
    }),
  };
  const never = startConfined(sandbox, async () => 'not started');
  expect(await never(nodeRequest('1'), { onSpawn: () => {} })).toBe('not started');
  expect(looks).toBe(1);
  const failing = startConfined(sandbox, async () => Promise.reject(new Error('broken')));
  await expect(failing(nodeRequest('1'), { onSpawn: () => {} })).rejects.toThrow('broken');
  expect(looks).toBe(2);
});
