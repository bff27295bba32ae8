import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import type { ProcessRequest } from '../../src/processes/contract.ts';
import { operatingSystem } from '../../src/processes/operating-system.ts';
import { runProcess } from '../../src/processes/run.ts';
import { startProcess } from '../../src/processes/start.ts';
import { type Starter, starterOf } from '../../src/processes/starter.ts';
import { fake } from './fake-system.ts';
import { watchedHooks } from './support.ts';

const isWindows = process.platform === 'win32';
const system = operatingSystem(process.platform);

/** The shells of this machine that a system may have as its `sh`. */
const SHELLS = ['dash', 'bash', 'busybox', 'mksh', 'ksh', 'yash'].flatMap((name) => {
  const folders = (process.env.PATH ?? '').split(':');
  const file = folders.map((folder) => path.join(folder, name)).find((one) => fs.existsSync(one));
  return file === undefined ? [] : [[name, file] as const];
});

let folder = '';
beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'tardigrade-start-')));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => path.join(folder, name);

function script(name: string, text: string | Buffer, mode = 0o755): string {
  fs.writeFileSync(at(name), text, { mode });
  return at(name);
}

const request = (file: string, args: string[], more: Partial<ProcessRequest> = {}) => ({
  ...{ file, args, cwd: folder, env: { PATH: '/usr/bin:/bin', LANG: 'C' } },
  ...{ timeoutMs: 30_000, maxOutputBytes: 100_000 },
  ...more,
});

const run = (asked: ProcessRequest, starter: Starter | null) =>
  runProcess(asked, watchedHooks(), {
    ...{ platform: process.platform, clock: systemClock, starter },
    startTime: () => null,
    killTree: async (pid) => void system.signal(-pid, 'SIGKILL'),
  });

/** `shell` under the name by which systems call theirs: some read their own name. */
function starterNamed(name: string, shell: string): Starter {
  const link = path.join(folder, name, 'sh');
  fs.mkdirSync(path.dirname(link), { recursive: true });
  if (!fs.existsSync(link)) fs.symlinkSync(shell, link);
  return starterOf(system, link)!;
}

describe.skipIf(isWindows).each(SHELLS)('behind %s a program', (name, shell) => {
  const starter = () => starterNamed(name, shell);
  const bothWays = async (asked: ProcessRequest) => {
    const [direct, held] = await Promise.all([run(asked, null), run(asked, starter())]);
    return { direct: { ...direct, durationMs: 0 }, held: { ...held, durationMs: 0 } };
  };

  it('never begins when whoever holds it back is gone', async () => {
    const asked = request('/usr/bin/touch', [at(`ran-${name}`)]);
    const started = startProcess(asked, process.platform, starter());
    if (!('child' in started)) throw new Error('it was not started');
    started.child.stdio[3]?.destroy();
    expect(await once(started.child, 'close')).toEqual([125, null]);
    expect(fs.existsSync(at(`ran-${name}`))).toBe(false);
  });

  it('has its arguments, its input and its streams as without it', async () => {
    const words = [
      '%s|',
      '',
      '-n',
      '$HOME `id` $(id)',
      'a  b',
      '"\'\\',
      '*',
      'two\nlines',
      'grüße',
    ];
    const printed = await bothWays(request('/usr/bin/printf', words));
    expect(printed.held).toEqual(printed.direct);
    expect(printed.held.output).toBe(
      words
        .slice(1)
        .map((word) => `${word}|`)
        .join(''),
    );
    const fed = await bothWays(request('/bin/cat', [], { stdin: 'one\n\0two' }));
    expect(fed.held).toEqual(fed.direct);
    expect(fed.held.output).toBe('one\n\0two');
  });

  it('has its environment, but for what a shell always adds', async () => {
    const { held, direct } = await bothWays(request('/usr/bin/env', []));
    const lines = (output: string) =>
      output
        .split('\n')
        .filter((line) => !/^(SHLVL=0|_=.*)$/.test(line))
        .sort();
    expect(lines(held.output)).toEqual(lines(direct.output));
  });

  it.runIf(process.platform === 'linux')(
    'is the process that was spawned, with three streams and its own signals',
    async () => {
      const listed = await bothWays(request('/bin/ls', ['/proc/self/fd']));
      expect(listed.held.output).toBe(listed.direct.output);
      const signals = await bothWays(request('/bin/grep', ['^Sig[BIC]', '/proc/self/status']));
      expect(signals.held.output).toBe(signals.direct.output);
      const hooks = watchedHooks();
      const outcome = await runProcess(request('/bin/cat', ['/proc/self/stat']), hooks, {
        ...{ platform: process.platform, clock: systemClock, starter: starter() },
        ...{ startTime: () => null, killTree: async () => {} },
      });
      const [pid, , , , group, session] = outcome.output.split(' ').map(Number);
      const spawned = hooks.spawned[0]?.pid;
      expect([pid, group, session]).toEqual([spawned, spawned, spawned]);
    },
  );

  it('ends with every code and signal of its own', async () => {
    for (const code of [125, 126, 127]) {
      const file = script(`ends-${code}`, `#!/bin/sh\necho "$0: not found" >&2\nexit ${code}\n`);
      const { direct, held } = await bothWays(request(file, []));
      expect(held).toEqual(direct);
      expect(held).toMatchObject({ kind: 'exited', exitCode: code });
    }
    const killed = await bothWays(request('/bin/sh', ['-c', 'kill -TERM $$']));
    expect(killed.held).toEqual(killed.direct);
    expect(killed.held.signal).toBe('SIGTERM');
  });

  it('that cannot be started is refused in the words of the system', async () => {
    const files = [
      at('nowhere'),
      folder,
      script('unrunnable', '#!/bin/sh\n', 0o644),
      script('no-interpreter', '#!/no/such/program -x\n'),
      script('windows-lines', '#!/bin/sh\r\necho\r\n'),
      script('second-hand', `#!${at('no-interpreter')}\n`),
    ];
    for (const file of files) {
      const { direct, held } = await bothWays(request(file, []));
      expect(held).toEqual(direct);
      expect(held.kind).toBe('spawn_failed');
    }
    const lost = await bothWays(request('/bin/true', [], { cwd: at('no-folder') }));
    expect(lost.held).toEqual(lost.direct);
  });

  it('without a line that names its interpreter is run by the shell', async () => {
    const { direct, held } = await bothWays(request(script('plain', 'echo "ran $1"\n'), ['so']));
    expect(held).toEqual(direct);
    expect(held.output).toBe('ran so\n');
  });
});

describe.skipIf(isWindows)('a program whose start is to be recorded', () => {
  const ports = {
    ...{ platform: process.platform, clock: systemClock, starter: starterOf(system) },
    startTime: () => null,
    killTree: async (pid: number) => void system.signal(-pid, 'SIGKILL'),
  };

  it('has not begun while it is recorded, and never does where that fails or it is cancelled', async () => {
    const unrecorded = request('/usr/bin/touch', [at('unrecorded')]);
    const refused = {
      ...watchedHooks(),
      onSpawn: () => {
        throw new Error('disk full');
      },
    };
    await expect(runProcess(unrecorded, refused, ports)).rejects.toThrow('disk full');
    const hooks = watchedHooks();
    const cancelled = request('/usr/bin/touch', [at('cancelled')]);
    const aborting = { ...hooks, onSpawn: () => hooks.abort() };
    expect((await runProcess(cancelled, aborting, ports)).kind).toBe('cancelled');
    expect([at('unrecorded'), at('cancelled')].filter((file) => fs.existsSync(file))).toEqual([]);
  });
});

describe.skipIf(isWindows)('a program that the shell cannot become', () => {
  it('was not started, though its file looks as if it could be', async () => {
    // A program whose loader is missing: the system says so only when it is run.
    const bytes = fs.readFileSync('/bin/cat').toString('latin1');
    const broken = Buffer.from(
      bytes.replace(/\/lib[\w/.-]*\/ld-/, (all) => all.replace('/lib', '/bil')),
      'latin1',
    );
    const file = script('no-loader', broken);
    const outcome = await run(request(file, []), starterOf(system));
    if (process.platform !== 'linux') return;
    expect(outcome).toMatchObject({ kind: 'spawn_failed', exitCode: null, output: '' });
    expect(outcome.error).toContain(file);
  });

  it('is not what a program says that only talks like the shell', async () => {
    const file = script(
      'talks',
      '#!/bin/sh\necho "agent-start: 1: exec: something: not found"\nexit 127\n',
    );
    expect(await run(request(file, []), starterOf(system))).toMatchObject({
      ...{ kind: 'exited', exitCode: 127 },
    });
  });
});

it('nothing stands before a program on Windows, or where there is no such shell', () => {
  expect(starterOf(fake('win32'))).toBeNull();
  expect(starterOf(fake('linux', { whyNotRunnable: () => 'ENOENT' }))).toBeNull();
  expect(starterOf(fake('linux'))).not.toBeNull();
});
