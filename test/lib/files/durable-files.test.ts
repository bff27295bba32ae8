import { describe, expect, test } from 'vitest';
import {
  ensureDirectory,
  readFileIfPresent,
  renameFile,
  replaceFile,
  replaceLocked,
  temporaryOf,
} from '../../../src/lib/files/durable-files.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import {
  createMemoryFileSystem,
  fileSystemError,
} from '../../../src/lib/files/memory-file-system.ts';
import { newTemporaryOf } from '../../../src/lib/files/temporary-name.ts';
import { LOST_BYTES, LOST_NAMES } from '../../support/simulated-disk.ts';
import { type Fault, SimulatedFileSystem } from '../../support/simulated-file-system.ts';

/** Once. */
function preceded<Args extends unknown[], Value>(
  operation: (...args: Args) => Value,
  by: () => void,
): (...args: Args) => Value {
  let isFirst = true;
  return (...args) => {
    const isNow = isFirst;
    isFirst = false;
    if (isNow) by();
    return operation(...args);
  };
}

const OLD = Buffer.from('old content');
const NEW = Buffer.from('new content, longer than the old');

function diskWithOld(fault?: Fault): SimulatedFileSystem {
  const fs = new SimulatedFileSystem();
  replaceFile(fs, '/a', OLD);
  return fs.afterKill(fault);
}

describe('replaceFile', () => {
  test('is durable when it returns, whatever a power loss takes', () => {
    for (const bytes of LOST_BYTES) {
      for (const names of LOST_NAMES) {
        const fs = diskWithOld();
        replaceFile(fs, '/a', NEW);
        expect(readFileIfPresent(fs.afterPowerLoss({ bytes, names }), '/a')).toEqual(NEW);
      }
    }
  });

  test('leaves the old file or the new one when power is lost at any operation', () => {
    for (let at = 0; at < 12; at++) {
      for (const bytes of LOST_BYTES) {
        for (const names of LOST_NAMES) {
          const fs = diskWithOld({ kind: 'kill', at });
          try {
            replaceFile(fs, '/a', NEW);
          } catch {
            // The simulated death.
          }
          const found = readFileIfPresent(fs.afterPowerLoss({ bytes, names }), '/a');
          expect([OLD.toString(), NEW.toString()]).toContain(found?.toString());
        }
      }
    }
  });

  test.each(['full', 'full_once'] as const)(
    'says E_DISK_FULL (%s), keeps the old file and leaves no stump',
    (kind) => {
      const write = 1;
      const fs = diskWithOld({ kind, at: write });
      expect(() => replaceFile(fs, '/a', NEW)).toThrow(
        expect.objectContaining({ code: 'E_DISK_FULL' }),
      );
      expect(fs.readdir('/')).toEqual(['a']);
      expect(readFileIfPresent(fs, '/a')).toEqual(OLD);
    },
  );

  test('says E_IO when a sync fails', () => {
    const fs = diskWithOld({ kind: 'io_error', at: 3 });
    expect(() => replaceFile(fs, '/a', NEW)).toThrow(expect.objectContaining({ code: 'E_IO' }));
    expect(readFileIfPresent(fs, '/a')).toEqual(OLD);
  });

  test('writes everything when each write takes a few bytes only', () => {
    const fs = diskWithOld({ kind: 'short_writes', most: 3 });
    replaceFile(fs, '/a', NEW);
    expect(readFileIfPresent(fs, '/a')).toEqual(NEW);
  });

  test('works on win32, where only handles that may write can be synced', () => {
    const fs = createMemoryFileSystem({ platform: 'win32' });
    replaceFile(fs, 'C:\\a', OLD);
    replaceFile(fs, 'C:\\a', NEW);
    expect(readFileIfPresent(fs, 'C:\\a')).toEqual(NEW);
  });
});

describe('two processes that replace one file at once', () => {
  const THEIRS = Buffer.from('what the other one writes');

  /** The other process does all its work right before an operation of this one. */
  test.each(['write', 'fsync', 'rename'] as const)(
    'both succeed, whatever happens before a %s, and the last one counts',
    (operation) => {
      const fs = createMemoryFileSystem();
      replaceFile(fs, '/a', OLD);
      const one = delegating(fs);
      const before = (): void => replaceFile(fs, '/a', THEIRS);
      const disturbed = {
        write: { write: preceded(one.write, before) },
        fsync: { fsync: preceded(one.fsync, before) },
        rename: { rename: preceded(one.rename, before) },
      };
      replaceFile({ ...one, ...disturbed[operation] }, '/a', NEW);
      expect(readFileIfPresent(fs, '/a')).toEqual(NEW);
      expect(fs.readdir('/')).toEqual(['a']);
    },
  );
});

describe('what a killed process left beside a file', () => {
  const MINUTES = 60_000;
  let now = 0;

  function killedIn(path: string) {
    const fs = createMemoryFileSystem({ now: () => now });
    for (const name of new Set([temporaryOf(path), newTemporaryOf(path)]))
      fs.close(fs.open(name, 'w'));
    for (const name of [
      '/a.txt.agent.tmp',
      '/ab.agent.tmp',
      '/a.agent.tmp.txt',
      '/a.0123.agent.tmp',
    ])
      fs.close(fs.open(name, 'w'));
    return fs;
  }
  const NOT_OURS = ['a.txt.agent.tmp', 'ab.agent.tmp', 'a.agent.tmp.txt', 'a.0123.agent.tmp'];

  test.each([['/a'], [`/${'x'.repeat(255)}`], [`/${'x'.repeat(240)}`]])(
    'goes at a later write, and nothing else goes (%#)',
    (path) => {
      const fs = killedIn(path);
      now += 11 * MINUTES;
      replaceFile(fs, path, NEW);
      expect(fs.readdir('/').sort()).toEqual([path.slice(1), ...NOT_OURS].sort());
    },
  );

  test('stays for some minutes, as it may be what another process is writing now', () => {
    const fs = killedIn('/a');
    now += 9 * MINUTES;
    replaceFile(fs, '/a', NEW);
    expect(fs.readdir('/')).toHaveLength(NOT_OURS.length + 3);
  });

  test('has the same name each time where a lock keeps others out, and the next write takes it', () => {
    const fs = killedIn('/b');
    replaceLocked(fs, '/b', NEW, { isSynced: true });
    expect(fs.readdir('/')).not.toContain('b.agent.tmp');
    expect(readFileIfPresent(fs, '/b')).toEqual(NEW);
  });
});

describe('renameFile', () => {
  function busyDisk(platform: NodeJS.Platform, failures: number) {
    const fs = createMemoryFileSystem({ platform });
    replaceFile(fs, '/a', OLD);
    let left = failures;
    const rename = fs.rename.bind(fs);
    fs.rename = (from, to) => {
      if (left-- > 0) throw fileSystemError('EBUSY', 'rename', from);
      rename(from, to);
    };
    return fs;
  }

  test('tries again on win32 while another program holds the file', () => {
    const waits: number[] = [];
    const fs = busyDisk('win32', 3);
    renameFile(fs, '/a', '/b', (ms) => waits.push(ms));
    expect(fs.readdir('/')).toEqual(['b']);
    expect(waits).toEqual([10, 20, 40]);
  });

  test('gives up on win32 soon enough for a signal to be heard within the second', () => {
    let waited = 0;
    const wait = (ms: number) => {
      waited += ms;
    };
    expect(() => renameFile(busyDisk('win32', 1_000), '/a', '/b', wait)).toThrow('EBUSY');
    expect(waited).toBeGreaterThanOrEqual(500);
    expect(waited).toBeLessThan(1_000);
  });

  test('fails at once elsewhere', () => {
    const wait = () => expect.unreachable();
    expect(() => renameFile(busyDisk('linux', 1), '/a', '/b', wait)).toThrow('EBUSY');
  });
});

test('a directory is made with its parents, and a file in the way is an error', () => {
  const fs = createMemoryFileSystem();
  ensureDirectory(fs, '/a/b/c');
  expect(fs.lstat('/a/b/c')).toMatchObject({ kind: 'directory', mode: 0o700 });
  replaceFile(fs, '/file', OLD);
  expect(() => ensureDirectory(fs, '/file')).toThrow('ENOTDIR');
});
