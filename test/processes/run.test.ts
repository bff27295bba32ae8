import { describe, expect, it, onTestFinished } from 'vitest';
import { PROGRAMS } from '../../src/languages/commands/programs.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { systemProcesses } from '../../src/processes/system-processes.ts';
import { nodeRequest, type WatchedHooks, watchedHooks } from './support.ts';

const processesWith = (clock: Clock) =>
  systemProcesses({
    platform: process.platform,
    env: process.env,
    workspace: '/nowhere',
    fs: nodeFileSystem,
    clock,
    identity: { host: 'here', boot: 'today', pidNamespace: '' },
    nodePath: process.execPath,
    trusted: [],
    known: PROGRAMS,
  });
const processes = processesWith(systemClock);
/** Waits a tenth as long for pipes that somebody else holds. */
const impatient = processesWith({
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(ms === 500 ? 50 : ms, signal),
});

const isAlive = (pid: number): boolean => processes.startTime(pid) !== null;
const SLEEP = 'setInterval(() => {}, 1000);';

/** A script that starts `inner` in another Node that shares its pipes, unless told otherwise. */
const startsNode = (inner: string, options = "{ stdio: 'inherit' }"): string =>
  `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], ${options});`;

/** A Node of its own in a session of its own, which nothing leads to once what started it has ended. */
const DAEMON = `const { spawn } = require('node:child_process');
const daemon = spawn(process.execPath, ['-e', ${JSON.stringify(SLEEP)}], { detached: true, stdio: 'ignore' });
daemon.unref();
console.log(daemon.pid);`;

const noting = ({ spawned }: WatchedHooks) => ({
  onSpawn: (pid: number, startTime: string) => void spawned.push({ pid, startTime }),
});

describe.runIf(process.platform === 'linux')('a daemon', () => {
  it('ends with the command that left it, and is named; those of others live on', async () => {
    const other = await processesWith(systemClock).run(nodeRequest(DAEMON), {
      signal: new AbortController().signal,
      onOutput: () => {},
    });
    onTestFinished(() => void process.kill(Number(other.output), 'SIGKILL'));
    const outcome = await processes.run(nodeRequest(DAEMON), watchedHooks());
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(isAlive(Number(outcome.output))).toBe(false);
    expect(outcome.daemons).toEqual({
      ended: [expect.stringMatching(/node|MainThread/i)],
      left: [],
    });
    expect(isAlive(Number(other.output))).toBe(true);
    const plain = await processes.run(nodeRequest("console.log('x')"), watchedHooks());
    expect(plain.daemons).toBe(undefined);
  });

  it('of a run that was killed is ended by the next start, by what the journal has of the place', async () => {
    const killed = processesWith(systemClock);
    const hooks = watchedHooks();
    const started = await killed.background?.(nodeRequest(DAEMON), noting(hooks));
    if (typeof started !== 'object') throw new Error('not started');
    await started.wait(20_000, hooks.signal);
    const daemon = Number(started.output().text);
    expect(isAlive(daemon)).toBe(true);
    const other = { ...killed.place, boot: 'another' };
    expect(await processes.endLeftover(hooks.spawned[0] ?? null, other)).toBe('none');
    expect(isAlive(daemon)).toBe(true);
    expect(await processes.endLeftover(hooks.spawned[0] ?? null, killed.place)).toBe('ended');
    expect(isAlive(daemon)).toBe(false);
  });

  it('of a program in the background ends with the run', async () => {
    const own = processesWith(systemClock);
    const hooks = watchedHooks();
    const started = await own.background?.(nodeRequest(DAEMON), noting(hooks));
    if (typeof started !== 'object') throw new Error('not started');
    await started.wait(20_000, hooks.signal);
    const daemon = Number(started.output().text);
    expect(isAlive(daemon)).toBe(true);
    expect((await own.endDaemons?.())?.left).toEqual([]);
    expect(isAlive(daemon)).toBe(false);
  });
});

describe('running one program', () => {
  it('returns its output and its exit code, and passes arguments as they are, with no shell to read them', async () => {
    const hooks = watchedHooks();
    const script = `process.stdout.write('out\\r\\n' + process.argv[1]); process.stderr.write('err'); process.exitCode = 7`;
    const odd = '$HOME; | "x" \'y\' \\ *';
    const outcome = await processes.run(nodeRequest('', { args: ['-e', script, odd] }), hooks);
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 7, signal: null, truncatedBytes: 0 });
    expect(outcome.output).toContain(`out\r\n${odd}`);
    expect(outcome.output).toContain('err');
    expect(hooks.heard()).toBe(outcome.output);
  });

  it('feeds stdin and closes it; without one the program sees the end at once', async () => {
    const echo = `process.stdin.pipe(process.stdout); process.stdin.on('end', () => console.log('END'))`;
    const fed = await processes.run(nodeRequest(echo, { stdin: 'grüße\n' }), watchedHooks());
    expect(fed.output).toBe('grüße\nEND\n');
    const unfed = await processes.run(nodeRequest(echo), watchedHooks());
    expect(unfed.output).toBe('END\n');
  });

  it('does not mind a program that never reads its stdin', async () => {
    const stdin = 'x'.repeat(4_000_000);
    const outcome = await processes.run(nodeRequest('process.exit(3)', { stdin }), watchedHooks());
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: 3 });
  });

  it('gives the child the environment of the request and nothing else', async () => {
    process.env.PLANTED_KEY = 'leak';
    try {
      const script = 'console.log(JSON.stringify(process.env))';
      const env = { ONLY: 'this' };
      const outcome = await processes.run(nodeRequest(script, { env }), watchedHooks());
      expect(outcome.output).not.toContain('leak');
      expect(JSON.parse(outcome.output)).toMatchObject({ ONLY: 'this' });
    } finally {
      delete process.env.PLANTED_KEY;
    }
  });

  it('tells pid and start time in the tick of the spawn', async () => {
    const hooks = watchedHooks();
    const running = processes.run(nodeRequest(`console.log(process.pid)`), hooks);
    expect(hooks.spawned).toHaveLength(1);
    const { pid, startTime } = hooks.spawned[0]!;
    // On win32 it is not asked for, which would take longer than most programs.
    expect(startTime).toBe(process.platform === 'win32' ? '' : processes.startTime(pid));
    expect((await running).output.trim()).toBe(String(pid));
    expect(processes.startTime(pid)).toBeNull();
  });

  it('ends the child when its identity cannot be recorded, and passes the error on', async () => {
    let pid = 0;
    const hooks = {
      ...watchedHooks(),
      onSpawn: (child: number) => {
        pid = child;
        throw new Error('disk full');
      },
    };
    await expect(processes.run(nodeRequest(SLEEP), hooks)).rejects.toThrow('disk full');
    expect(isAlive(pid)).toBe(false);
  });

  it('says why a program could not be started', async () => {
    const missing = await processes.run(
      nodeRequest('', { file: '/no/such/program' }),
      watchedHooks(),
    );
    expect(missing).toMatchObject({ kind: 'spawn_failed', exitCode: null });
    expect(missing.error).toBe('/no/such/program does not exist (ENOENT)');
    const folder = await processes.run(nodeRequest('', { cwd: '/no/such/folder' }), watchedHooks());
    expect(folder).toMatchObject({
      kind: 'spawn_failed',
      error: 'the folder /no/such/folder does not exist (ENOENT)',
    });
    const bad = await processes.run(nodeRequest('', { args: ['a\0b'] }), watchedHooks());
    expect(bad.kind).toBe('spawn_failed');
  });

  it.skipIf(process.platform === 'win32')('reports the signal that ended a program', async () => {
    const outcome = await processes.run(
      nodeRequest(`process.kill(process.pid, 'SIGTERM')`),
      watchedHooks(),
    );
    expect(outcome).toMatchObject({ kind: 'exited', exitCode: null, signal: 'SIGTERM' });
  });
});

describe('output', () => {
  it('of a flood keeps start and end in bounded size, whole characters, and counts the rest', async () => {
    const script = `
      const line = 'ä€😀'.repeat(1000) + '\\n';
      let text = 'FIRST';
      for (let n = 0; n < 600; n += 1) text += line;
      process.stdout.write(text + 'LAST');`;
    const hooks = watchedHooks();
    const outcome = await processes.run(nodeRequest(script, { maxOutputBytes: 10_001 }), hooks);
    expect(outcome.output.startsWith('FIRSTä€😀')).toBe(true);
    expect(outcome.output.endsWith('😀\nLAST')).toBe(true);
    expect(outcome.output).not.toContain('\ufffd');
    const kept = Buffer.byteLength(
      outcome.output.replace(/\n\[\.\.\. \d+ bytes left out \.\.\.\]\n/, ''),
    );
    expect(kept).toBeLessThanOrEqual(10_001);
    expect(kept).toBeGreaterThan(9_980);
    expect(kept + outcome.truncatedBytes).toBe(9 + 600 * 9001);
    expect(Buffer.byteLength(hooks.heard())).toBeLessThanOrEqual(10_001);
  });

  it('replaces bytes that are no UTF-8 and keeps characters cut between two writes', async () => {
    const script = `
      const euro = Buffer.from('€');
      process.stdout.write(euro.subarray(0, 1), () => setImmediate(() =>
        process.stdout.write(Buffer.concat([euro.subarray(1), Buffer.from([0xff, 0x41])]))));`;
    const outcome = await processes.run(nodeRequest(script), watchedHooks());
    expect(outcome.output).toBe('€\ufffdA');
  });
});

describe.skipIf(process.platform === 'win32')('ending a tree', () => {
  const inShell = (script: string) => nodeRequest('', { file: '/bin/sh', args: ['-c', script] });
  const startsShell = (inner: string): string => `sh -c '${inner.replaceAll("'", `'\\''`)}' & wait`;
  const three = inShell(startsShell(startsShell('echo third $$ up; exec sleep 300')));

  it.runIf(process.platform === 'linux')(
    'tells of a program that waits for connections, also in a child, from one that only waits',
    async () => {
      const listens = `require('net').createServer().listen(0, '127.0.0.1', () => console.log('it is up'));`;
      const isServing = async (script: string) => {
        let timeIsUp = (): void => {};
        const sleep: Clock['sleep'] = (ms, signal) =>
          ms === 77_000
            ? new Promise((resolve) => (timeIsUp = resolve))
            : systemClock.sleep(ms, signal);
        const hooks = watchedHooks();
        const request = nodeRequest(script, { timeoutMs: 77_000 });
        const running = processesWith({ ...systemClock, sleep }).run(request, hooks);
        await hooks.hears(/it is up/);
        timeIsUp();
        const outcome = await running;
        expect(outcome.kind).toBe('timeout');
        return outcome.isServing;
      };
      expect(await isServing(listens)).toBe(true);
      expect(await isServing(startsNode(listens) + SLEEP)).toBe(true);
      expect(await isServing(`console.log('it is up'); ${SLEEP}`)).toBeUndefined();
    },
  );

  it('kills a tree three deep at the time-out', async () => {
    let timeIsUp = (): void => {};
    const clock: Clock = {
      ...systemClock,
      sleep: (ms, signal) =>
        ms === 77_000
          ? new Promise((resolve) => (timeIsUp = resolve))
          : systemClock.sleep(ms, signal),
    };
    const hooks = watchedHooks();
    const running = processesWith(clock).run({ ...three, timeoutMs: 77_000 }, hooks);
    const third = Number((await hooks.hears(/third (\d+) up/))[1]);
    expect(isAlive(third)).toBe(true);
    timeIsUp();
    const outcome = await running;
    expect(outcome).toMatchObject({ kind: 'timeout', exitCode: null });
    expect(outcome.output).toContain('third');
    expect(isAlive(third)).toBe(false);
    expect(isAlive(hooks.spawned[0]!.pid)).toBe(false);
  });

  it('measures the time-out in milliseconds', async () => {
    const outcome = await processes.run(nodeRequest(SLEEP, { timeoutMs: 50 }), watchedHooks());
    expect(outcome.kind).toBe('timeout');
  });

  it('kills it when cancelled, and starts nothing when cancelled before', async () => {
    const hooks = watchedHooks();
    const running = processes.run(three, hooks);
    const third = Number((await hooks.hears(/third (\d+) up/))[1]);
    hooks.abort();
    expect((await running).kind).toBe('cancelled');
    expect(isAlive(third)).toBe(false);
    expect((await processes.run(three, hooks)).kind).toBe('cancelled');
    expect(hooks.spawned).toHaveLength(1);
  });

  it('kills programs that ignore SIGTERM or left the process group', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); console.log('inner ' + process.pid + ' up'); ${SLEEP}`;
    const script = startsNode(stubborn, "{ stdio: 'inherit', detached: true }") + SLEEP;
    const hooks = watchedHooks();
    const running = processes.run(nodeRequest(script), hooks);
    const inner = Number((await hooks.hears(/inner (\d+) up/))[1]);
    hooks.abort();
    await running;
    expect(isAlive(inner)).toBe(false);
  });

  it('returns though a program that got away holds the pipes', async () => {
    // Started by a middle one that ends, in a session of its own: nothing leads to it any more.
    const away = `console.log('away ' + process.pid + ' up'); ${SLEEP}`;
    const middle = `${startsNode(away, "{ stdio: 'inherit', detached: true }")} process.exit(0);`;
    const script = `
      const middle = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(middle)}], { stdio: 'inherit' });
      middle.on('exit', () => process.stdin.on('end', () => process.exit(0)).resume());`;
    const hooks = watchedHooks();
    // One whose start nobody records is not looked for.
    const { signal, onOutput } = hooks;
    const outcome = await impatient.run(nodeRequest(script), { signal, onOutput });
    const away_ = Number((await hooks.hears(/away (\d+) up/))[1]);
    try {
      expect(outcome).toMatchObject({ kind: 'exited', exitCode: 0 });
      expect(isAlive(away_)).toBe(true);
    } finally {
      process.kill(away_, 'SIGKILL');
    }
  });

  it('ends what a program leaves running in its group when it ends itself', async () => {
    const left_ = `console.log('left ' + process.pid + ' up'); process.send('up'); ${SLEEP}`;
    const script = `
      const options = { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] };
      const left = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(left_)}], options);
      left.on('message', () => process.exit(0));`;
    const hooks = watchedHooks();
    const running = impatient.run(nodeRequest(script), hooks);
    const left = Number((await hooks.hears(/left (\d+) up/))[1]);
    expect(await running).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(isAlive(left)).toBe(false);
  });

  it('kills by pid alone, as recovery does, and leaves others alone', async () => {
    const hooks = watchedHooks();
    const other = watchedHooks();
    const running = processes.run(three, hooks);
    const beside = processes.run(inShell('echo beside up; exec sleep 300'), other);
    const third = Number((await hooks.hears(/third (\d+) up/))[1]);
    await other.hears(/beside up/);
    await processes.killTree(hooks.spawned[0]!.pid);
    expect(isAlive(third)).toBe(false);
    expect(await running).toMatchObject({ kind: 'exited', exitCode: null, signal: 'SIGKILL' });
    expect(isAlive(other.spawned[0]!.pid)).toBe(true);
    other.abort();
    await beside;
  });
});
