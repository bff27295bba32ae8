import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acquireLock } from '../../../src/journal/lock/lock.ts';
import type { FileSystem } from '../../../src/lib/files/file-system.ts';
import {
  createMemoryFileSystem,
  fileSystemError,
  type MemoryFileSystem,
} from '../../../src/lib/files/memory-file-system.ts';
import type { ProcessIdentity } from '../../../src/lib/process-identity.ts';
import { dice } from '../../support/dice.ts';

const CLOCK = { now: () => Date.UTC(2026, 0, 1) };

/** Pids and start times of what runs on the simulated machine. */
type Running = Map<number, string>;

function identityOf(running: Running, pid: number, other: Partial<ProcessIdentity> = {}) {
  const startTimeOf = (asked: number) => running.get(asked) ?? null;
  return { host: 'one', boot: 'b1', pidNamespace: 'n1', pid, startTimeOf, ...other };
}

function diskWithFolder(platform: NodeJS.Platform = 'linux'): MemoryFileSystem {
  const fs = createMemoryFileSystem({ platform, now: CLOCK.now });
  fs.mkdir('/lock');
  return fs;
}

function take(fs: FileSystem, identity: ProcessIdentity, force = false) {
  return acquireLock({ fs, directory: '/lock', identity, clock: CLOCK }, { force });
}

const REFUSED = expect.objectContaining({ code: 'E_LOCKED' });

describe('the lock', () => {
  const running: Running = new Map([
    [10, 'ten'],
    [11, 'eleven'],
  ]);

  test('refuses a second runner and names the pid and start of the first', () => {
    const fs = diskWithFolder();
    take(fs, identityOf(running, 10));
    expect(() => take(fs, identityOf(running, 11))).toThrow(REFUSED);
    expect(() => take(fs, identityOf(running, 11))).toThrow(
      /process 10, since 20\d\d-\d\d-\d\d \d\d:\d\d\./,
    );
  });

  test('says so if its own process holds it, and does not advise to end that', () => {
    const fs = diskWithFolder();
    take(fs, identityOf(running, 10));
    const own = expect.objectContaining({
      message: expect.stringMatching(/^This program works in this folder already: process 10, /),
      hint: expect.not.stringContaining('end that process'),
    });
    expect(() => take(fs, identityOf(running, 10))).toThrow(own);
  });

  test('is free again after its release, many times over, and keeps few files', () => {
    const fs = diskWithFolder();
    for (let count = 0; count < 30; count++) take(fs, identityOf(running, 10)).release();
    expect(fs.readdir('/lock').length).toBeLessThanOrEqual(8);
    expect(() => take(fs, identityOf(running, 11))).not.toThrow();
  });

  test.each(['9007199254740991', '99999999999999999999999'])(
    'with a number that no agent gave, such as %s, is not said to be that of an agent',
    (number) => {
      const fs = diskWithFolder();
      fs.close(fs.open(`/lock/lock.${number}`, 'wx'));
      const refused = expect.objectContaining({
        message: 'A lock file in /lock has a number so high that no agent gave it.',
      });
      expect(() => take(fs, identityOf(running, 10))).toThrow(refused);
    },
  );

  test('is free again where its release cannot be written, so that its live process may go on', () => {
    const fs = diskWithFolder();
    const { write } = fs;
    const lock = take(fs, identityOf(running, 10));
    fs.write = (fd) => {
      throw fileSystemError('ENOSPC', 'write', fd);
    };
    lock.release();
    fs.write = write;
    expect(fs.readdir('/lock')).toEqual([]);
    expect(take(fs, identityOf(running, 10)).isHeld()).toBe(true);
  });

  test('is not taken where the clock of its lease fails', () => {
    const fs = diskWithFolder();
    const now = (): number => {
      throw new Error('no clock');
    };
    const leases = { ms: 15_000, now, isOver: () => false };
    const ports = { fs, directory: '/lock', identity: identityOf(running, 10), clock: CLOCK };
    expect(() => acquireLock({ ...ports, leases })).toThrow('no clock');
    expect(() => take(fs, identityOf(running, 10))).not.toThrow();
  });

  test.each([
    ['is gone', new Map([[11, 'eleven']])],
    [
      'is another process with its pid',
      new Map([
        [10, 'later'],
        [11, 'eleven'],
      ]),
    ],
  ])('is taken over at once from an owner that %s', (_how, now) => {
    const fs = diskWithFolder();
    take(fs, identityOf(running, 10));
    expect(take(fs, identityOf(now, 11)).isHeld()).toBe(true);
  });

  test('is taken over after the machine was started again, whatever the pids', () => {
    const fs = diskWithFolder();
    take(fs, identityOf(running, 10));
    expect(() => take(fs, identityOf(running, 11, { boot: 'b2' }))).not.toThrow();
  });

  test.each([
    ['host', { host: 'two', boot: 'b9' }],
    ['container', { pidNamespace: 'n2' }],
  ])('of another %s needs force', (_where, other) => {
    const fs = diskWithFolder();
    take(fs, identityOf(running, 10, other));
    expect(() => take(fs, identityOf(running, 11))).toThrow(/another machine or container/);
    expect(take(fs, identityOf(running, 11), true).isHeld()).toBe(true);
  });

  test('of a live owner is not taken by force', () => {
    const fs = diskWithFolder();
    take(fs, identityOf(running, 10));
    expect(() => take(fs, identityOf(running, 11), true)).toThrow(REFUSED);
  });

  test('of another container is free once its work must be over, and then held by the next one', () => {
    const fs = diskWithFolder();
    const takeAfter = (ms: number, pid: number, other = {}) =>
      acquireLock(
        {
          ...{ fs, directory: '/lock', identity: identityOf(running, pid, other) },
          clock: { now: () => CLOCK.now() + ms },
        },
        { longestMs: 1000 },
      );
    takeAfter(0, 10, { pidNamespace: 'n2' });
    expect(() => takeAfter(1000, 10)).toThrow(REFUSED);
    takeAfter(1001, 10);
    expect(() => takeAfter(9000, 11)).toThrow(REFUSED);
    expect(() => takeAfter(1002, 11, { pidNamespace: 'n3' })).toThrow(REFUSED);
  });

  test('allows for a clock that was set, where the boot is only computed', () => {
    const fs = diskWithFolder();
    take(fs, identityOf(running, 10, { boot: 'seconds:1000' }));
    const later = identityOf(running, 11, { boot: 'seconds:1030' });
    expect(() => take(fs, later)).toThrow(REFUSED);
  });

  test('works where files cannot be linked, an empty lock file counting as held for 5 s', () => {
    const fs = diskWithFolder();
    fs.link = (existing) => {
      throw fileSystemError('EPERM', 'link', existing);
    };
    const lock = take(fs, identityOf(running, 10));
    expect(() => take(fs, identityOf(running, 11))).toThrow(/process 10/);
    lock.release();
    fs.close(fs.open('/lock/lock.2', 'wx'));
    expect(() => take(fs, identityOf(running, 11))).toThrow(/just starting/);
    const later = { fs, directory: '/lock', identity: identityOf(running, 11) };
    const clock = { now: () => CLOCK.now() + 6_000 };
    expect(() => acquireLock({ ...later, clock })).not.toThrow();
  });

  test.each(['linux', 'win32'] as const)(
    'on %s gives tokens that only grow, past what the journal knows, past a crash',
    (platform) => {
      const fs = diskWithFolder(platform);
      const tokens: number[] = [];
      const first = take(fs, identityOf(running, 10));
      tokens.push(first.takeToken(0), first.takeToken(1));
      expect(first.isHeld()).toBe(true);
      first.release();
      const second = take(fs, identityOf(running, 10));
      tokens.push(second.takeToken(2));
      // Its process dies, and the journal never came to know that token.
      const later = createMemoryFileSystem({ platform, now: CLOCK.now, root: fs.root });
      const third = take(later, identityOf(new Map([[11, 'eleven']]), 11));
      tokens.push(third.takeToken(2), third.takeToken(40));
      expect(tokens).toEqual([1, 2, 3, 4, 41]);
    },
  );

  test('keeps its token where it is given up and the journal is put back as it was', () => {
    const fs = diskWithFolder();
    const first = take(fs, identityOf(running, 10));
    first.takeToken(6);
    first.release();
    expect(take(fs, identityOf(running, 11)).takeToken(1)).toBe(8);
  });

  test('says that it was taken over, gives no token then, and is not taken where its folder is gone', () => {
    const fs = diskWithFolder();
    const first = take(fs, identityOf(running, 10, { host: 'two', boot: 'b9' }));
    expect(first.isTaken()).toBe(false);
    take(fs, identityOf(running, 11), true);
    expect(first.isTaken()).toBe(true);
    expect(() => first.takeToken(1)).toThrow(expect.objectContaining({ code: 'E_FENCED' }));
    fs.rename('/lock', '/elsewhere');
    expect(first.isTaken()).toBe(false);
  });

  test('is held until it is given up, and no more once its file is gone or somebody has it', () => {
    const fs = diskWithFolder();
    const first = take(fs, identityOf(running, 10));
    expect(first.isHeld()).toBe(true);
    first.release();
    expect(first.isHeld()).toBe(false);
    const second = take(fs, identityOf(running, 10));
    fs.unlink('/lock/lock.2');
    expect(second.isHeld()).toBe(false);
    const third = take(fs, identityOf(running, 10, { host: 'two', boot: 'b9' }));
    const fourth = take(fs, identityOf(running, 11), true);
    expect([third.isHeld(), fourth.isHeld()]).toEqual([false, true]);
    third.release();
    expect(() => take(fs, identityOf(running, 10))).toThrow(/process 11/);
    fs.rename('/lock', '/elsewhere');
    expect(fourth.isHeld()).toBe(false);
  });

  test('that cannot be looked at for want of handles is still held', () => {
    const fs = diskWithFolder();
    const lock = take(fs, identityOf(running, 10));
    fs.open = (path) => {
      throw fileSystemError('EMFILE', 'open', path);
    };
    expect(lock.isHeld()).toBe(true);
  });

  test('on win32 is a file held open: refused while it is, free when it is closed', () => {
    const fs = diskWithFolder('win32');
    const lock = take(fs, identityOf(running, 10));
    expect(() => take(fs, identityOf(running, 11))).toThrow(/process 10/);
    lock.release();
    lock.release();
    expect(() => take(fs, identityOf(running, 11))).not.toThrow();
  });
});

describe('racing processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lock-race-'));
  const racer = join(folder, 'racer.mjs');
  const arena = join(folder, 'arena');
  const run = promisify(execFile);

  beforeAll(async () => {
    const entry = join(import.meta.dirname, '../../support/lock-racer.ts');
    await build({
      entryPoints: [entry],
      outfile: racer,
      bundle: true,
      platform: 'node',
      format: 'esm',
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('never make two owners, many at once', async () => {
    const locks = mkdtempSync(join(folder, 'locks-'));
    const many = dice(8, 16);
    const race = () => run(process.execPath, [racer, locks, arena, `${many}`]);
    const ends = await Promise.all(Array.from({ length: many }, race));
    const seen = ends.flatMap(({ stdout }) => JSON.parse(stdout) as string[]);
    expect([...new Set(seen)].sort().filter((word) => word !== 'E_LOCKED')).toEqual(['owner']);
    expect(readdirSync(locks).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('take over at once from an owner that was killed', async () => {
    const locks = mkdtempSync(join(folder, 'locks-'));
    const owner = spawn(process.execPath, [racer, locks, arena, '1', 'hold']);
    await once(owner.stdout, 'data');
    const refused = await run(process.execPath, [racer, locks, join(folder, 'other'), '1']);
    expect(JSON.parse(refused.stdout)).toEqual(['E_LOCKED']);
    const gone = once(owner, 'exit');
    owner.kill('SIGKILL');
    await gone;
    rmSync(arena);
    const next = await run(process.execPath, [racer, locks, arena, '1']);
    expect(JSON.parse(next.stdout)).toEqual(['owner']);
  });

  test.runIf(process.platform === 'linux')(
    'take over at once from a worker thread that was ended, though its process lives',
    async () => {
      const locks = mkdtempSync(join(folder, 'locks-'));
      const argv = [locks, arena, '1', 'hold'];
      const owner = new Worker(racer, { argv, stdout: true });
      await once(owner.stdout, 'data');
      const refused = await run(process.execPath, [racer, locks, join(folder, 'other'), '1']);
      expect(JSON.parse(refused.stdout)).toEqual(['E_LOCKED']);
      await owner.terminate();
      rmSync(arena);
      const next = await run(process.execPath, [racer, locks, arena, '1']);
      expect(JSON.parse(next.stdout)).toEqual(['owner']);
    },
  );
});
