import { describe, expect, test } from 'vitest';
import { layoutOf } from '../../src/journal/layout.ts';
import type { FileSystem } from '../../src/lib/files/file-system.ts';
import { delegating } from '../../src/lib/files/hiding-file-system.ts';
import { createMemoryFileSystem, fileSystemError } from '../../src/lib/files/memory-file-system.ts';
import { newDirectory } from '../../src/lib/files/memory-nodes.ts';
import { openUnderLock } from '../../src/run/open.ts';
import { testWorld } from '../support/test-machine.ts';

const REFUSED = expect.objectContaining({ code: 'E_LOCKED' });
const RUNNING = new Map([
  [10, 'ten'],
  [11, 'eleven'],
]);

/** `null` for who has the run, else the error. */
type End = { readonly error: unknown } | null;

function start(fs: FileSystem, pid: number): End {
  const startTimeOf = (asked: number) => RUNNING.get(asked) ?? null;
  const identity = { host: 'one', boot: 'b', pidNamespace: 'n', pid, startTimeOf };
  const machine = { ...testWorld().machine(), fs, identity };
  const request = { goal: 'a goal', again: false, forceUnlock: false };
  try {
    openUnderLock({ ...request, workspace: '/work', emit: () => {}, machine });
    return null;
  } catch (error) {
    return { error };
  }
}

/** Calls `meanwhile` before operation `at`, and counts them. */
function interrupted(fs: FileSystem, at: number, meanwhile: () => void) {
  let count = 0;
  const step = () => {
    if (count++ === at) meanwhile();
  };
  const stepping = Object.fromEntries(
    Object.entries(delegating(fs)).map(([name, operation]) => [
      name,
      typeof operation !== 'function'
        ? operation
        : (...args: never[]) => {
            step();
            return (operation as (...given: never[]) => unknown)(...args);
          },
    ]),
  );
  return { fs: stepping as unknown as FileSystem, count: () => count };
}

describe.each(['linux', 'win32'] as const)('two starters in a fresh folder on %s', (platform) => {
  const fresh = () => {
    const root = newDirectory(0o755, 0);
    const disk = () => createMemoryFileSystem({ platform, root });
    disk().mkdir('/work');
    return disk;
  };

  test('have one winner, and the other one hears that it is locked, whenever it comes', () => {
    const alone = fresh();
    const whole = interrupted(alone(), -1, () => {});
    expect(start(whole.fs, 10)).toBeNull();
    let firsts = 0;
    for (let at = 0; at < whole.count(); at++) {
      const disk = fresh()();
      let second: End = null;
      const first = interrupted(disk, at, () => {
        second = start(disk, 11);
      });
      const ends = [start(first.fs, 10), second];
      const losers = ends.filter((end) => end !== null);
      expect(losers, `before operation ${at}`).toEqual([{ error: REFUSED }]);
      if (ends[0] === null) firsts += 1;
      expect(disk.readdir(layoutOf('/work').root)).toContain('history.jsonl');
    }
    expect(firsts, 'both orders were seen').toBeGreaterThan(0);
    expect(firsts).toBeLessThan(whole.count());
  });

  test('and one that comes while the owner is being written down is told so', () => {
    const disk = fresh()();
    expect(start(disk, 10)).toBeNull();
    const { open } = disk;
    disk.open = function (path, flags, mode) {
      if (path.endsWith('owner.json')) throw fileSystemError('EBUSY', 'open', path);
      return open.call(this, path, flags, mode);
    };
    expect(start(disk, 11)).toEqual({ error: REFUSED });
  });
});
