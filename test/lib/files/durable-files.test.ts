import { describe, expect, test } from 'vitest';
import {
  ensureDirectory,
  readFileIfPresent,
  renameFile,
  replaceFile,
} from '../../../src/lib/files/durable-files.ts';
import {
  createMemoryFileSystem,
  fileSystemError,
} from '../../../src/lib/files/memory-file-system.ts';
import { LOST_BYTES, LOST_NAMES } from '../../support/simulated-disk.ts';
import { type Fault, SimulatedFileSystem } from '../../support/simulated-file-system.ts';

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
