import { describe, expect, test } from 'vitest';
import { inspectLock } from '../../../src/journal/lock/inspect-lock.ts';
import { acquireLock } from '../../../src/journal/lock/lock.ts';
import { createMemoryFileSystem } from '../../../src/lib/files/memory-file-system.ts';
import type { ProcessIdentity } from '../../../src/lib/process-identity.ts';

const directory = '/lock';
const clock = { now: () => Date.UTC(2026, 0, 1) };

function identityOf(pid: number, running: ReadonlyMap<number, string>): ProcessIdentity {
  const startTimeOf = (asked: number) => running.get(asked) ?? null;
  return { host: 'one', boot: 'b1', pidNamespace: 'n1', pid, startTimeOf };
}

const diskOf = (platform: NodeJS.Platform) => {
  const fs = createMemoryFileSystem({ platform });
  fs.mkdir(directory);
  return fs;
};

describe.each(['linux', 'win32'] as const)('a look at the lock on %s', (platform) => {
  const alive = new Map([[10, platform === 'win32' ? '' : 'ten']]);

  test('finds nobody where nobody ever was', () => {
    const identity = identityOf(11, alive);
    expect(inspectLock({ fs: diskOf(platform), directory: '/none', identity })).toBeNull();
    expect(inspectLock({ fs: diskOf(platform), directory, identity })).toBeNull();
  });

  test('finds a living owner, and leaves the lock with it', () => {
    const fs = diskOf(platform);
    acquireLock({ fs, directory, identity: identityOf(10, alive), clock });
    const second = { fs, directory, identity: identityOf(11, alive) };
    expect(inspectLock(second)).toMatchObject({ owner: { pid: 10 }, isAlive: true });
    expect(() => acquireLock({ ...second, clock })).toThrow(/process 10/);
  });

  test('finds a dead owner', () => {
    const fs = diskOf(platform);
    acquireLock({ fs, directory, identity: identityOf(10, alive), clock });
    const identity = identityOf(11, new Map());
    expect(inspectLock({ fs, directory, identity })).toMatchObject({ isAlive: false });
  });
});

test.each(['linux', 'win32'] as const)('a released lock on %s names nobody', (platform) => {
  const fs = diskOf(platform);
  const ports = { fs, directory, identity: identityOf(10, new Map([[10, 'ten']])), clock };
  acquireLock(ports).release();
  expect(inspectLock(ports)).toBeNull();
});

test('on win32 a pid that somebody else has now is no owner, and the lock stays free', () => {
  const fs = diskOf('win32');
  const reused = new Map([[10, '']]);
  acquireLock({ fs, directory, identity: identityOf(10, reused), clock });
  // The system closes the handles of an owner that dies.
  fs.close(3);
  const ports = { fs, directory, identity: identityOf(11, reused), clock };
  expect(inspectLock(ports)).toMatchObject({ owner: { pid: 10 }, isAlive: false });
  expect(() => acquireLock(ports)).not.toThrow();
});
