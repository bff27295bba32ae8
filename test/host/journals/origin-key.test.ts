/** The key of a user: made once, whole, for nobody else, and never replaced. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ORIGIN_KEY_FILE, originKeys } from '../../../src/host/journals/origin-key.ts';
import { dataFolderOf } from '../../../src/host/user/user-folders.ts';
import { type FileSystem, nodeFileSystem } from '../../../src/lib/files/file-system.ts';
import { delegating } from '../../../src/lib/files/hiding-file-system.ts';
import {
  createMemoryFileSystem,
  fileSystemError,
} from '../../../src/lib/files/memory-file-system.ts';
import { temporaryFolder } from '../../support/forged-state.ts';

const bytesOf = (value: number) => (bytes: number) => new Uint8Array(bytes).fill(value);

describe.each(['linux', 'win32'] as const)('on %s, the key', (platform) => {
  const dataFolder = platform === 'win32' ? 'C:\\data\\app' : '/data/app';
  const file =
    platform === 'win32' ? `C:\\data\\app\\${ORIGIN_KEY_FILE}` : `/data/app/${ORIGIN_KEY_FILE}`;
  const disk = () => {
    const fs = createMemoryFileSystem({ platform });
    if (platform === 'win32') for (const at of ['C:\\data', dataFolder]) fs.mkdir(at);
    return fs;
  };

  it('is not made by a look, is made once, and is the same from then on', () => {
    const fs = disk();
    const keys = originKeys({ fs, dataFolder, random: bytesOf(1) });
    expect(keys.find()).toEqual({ kind: 'absent' });
    if (platform === 'linux') expect(() => fs.stat(dataFolder)).toThrow('ENOENT');
    expect(() => fs.stat(file)).toThrow('ENOENT');
    expect(keys.findOrMake()).toEqual({ kind: 'ok', key: Buffer.alloc(32, 1) });
    const later = originKeys({ fs, dataFolder, random: bytesOf(2) });
    expect(later.findOrMake()).toEqual({ kind: 'ok', key: Buffer.alloc(32, 1) });
    expect([fs.stat(file).mode & 0o777, fs.readdir(dataFolder)]).toEqual([
      0o600,
      [ORIGIN_KEY_FILE],
    ]);
  });

  it('is one for two that make it at the same time, whenever the other one comes between', () => {
    const winners = new Set<number>();
    for (let at = 0; ; at += 1) {
      const fs = disk();
      const other = originKeys({ fs, dataFolder, random: bytesOf(1) });
      let count = 0;
      const interrupted = before(fs, () => {
        count += 1;
        if (count === at + 1) other.findOrMake();
      });
      const one = originKeys({ fs: interrupted, dataFolder, random: bytesOf(2) }).findOrMake();
      if (count <= at) break;
      expect([one, other.find()]).toEqual([one, one]);
      expect(fs.readdir(dataFolder)).toEqual([ORIGIN_KEY_FILE]);
      winners.add(one.kind === 'ok' ? (one.key[0] ?? 0) : 0);
    }
    expect([...winners].sort()).toEqual([1, 2]);
  });

  it.each(['EPERM', 'EISDIR', 'EACCES'])(
    'is made where the disk knows no links and says %s',
    (code) => {
      const fs = { ...delegating(disk()), link: () => refuse(code) };
      const keys = originKeys({ fs, dataFolder, random: bytesOf(1) });
      expect(keys.findOrMake()).toEqual({ kind: 'ok', key: Buffer.alloc(32, 1) });
    },
  );

  it('that is being written where the disk knows no links is waited for', () => {
    const slow = disk();
    let fd = 0;
    const begun = {
      ...delegating(slow),
      link: () => {
        fd = slow.open(file, 'wx', 0o600);
        return refuse('EPERM');
      },
    };
    const wait = () => {
      if (fd > 0) slow.write(fd, Buffer.alloc(32, 3), 0);
    };
    const second = originKeys({ fs: begun, dataFolder, random: bytesOf(2), wait });
    expect(second.findOrMake()).toEqual({ kind: 'ok', key: Buffer.alloc(32, 3) });
  });

  it('that is damaged is told and stays as it is', () => {
    const fs = disk();
    originKeys({ fs, dataFolder, random: bytesOf(1) }).findOrMake();
    const fd = fs.open(file, 'r+');
    fs.ftruncate(fd, 5);
    const why = `${file} is not a key of 32 bytes. Moved away, it is made anew.`;
    const keys = originKeys({ fs, dataFolder, random: bytesOf(2) });
    expect([keys.find(), keys.findOrMake()]).toEqual([
      { kind: 'unusable', why },
      { kind: 'unusable', why },
    ]);
    expect(fs.size(fd)).toBe(5);
  });

  it('that cannot be written or read is told in a sentence', () => {
    const fs = disk();
    const open: FileSystem['open'] = (path, flags) =>
      flags === 'r' ? fs.open(path, flags) : refuse('EROFS');
    const readOnly = { ...delegating(fs), open, mkdir: () => refuse('EROFS') };
    expect(originKeys({ fs: readOnly, dataFolder, random: bytesOf(1) }).findOrMake()).toEqual({
      kind: 'unusable',
      why: `${dataFolder} cannot be written to (EROFS).`,
    });
    originKeys({ fs, dataFolder, random: bytesOf(1) }).findOrMake();
    const closed = { ...delegating(fs), open: () => refuse('EACCES') };
    expect(originKeys({ fs: closed, dataFolder, random: bytesOf(1) }).find()).toEqual({
      kind: 'unusable',
      why: `${file} cannot be read (EACCES).`,
    });
  });
});

/** Before each operation of a process, what another one does. */
function before(fs: FileSystem, interrupt: () => void): FileSystem {
  return new Proxy(fs, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        interrupt();
        return value.apply(target, args);
      };
    },
  });
}

function refuse(code: string): never {
  throw fileSystemError(code, 'refused', '');
}

it.skipIf(process.platform === 'win32')('is for its user alone, whatever the umask', () => {
  const dataFolder = join(temporaryFolder(), 'data');
  const before = process.umask(0);
  try {
    originKeys({ fs: nodeFileSystem, dataFolder, random: bytesOf(1) }).findOrMake();
  } finally {
    process.umask(before);
  }
  expect(statSync(join(dataFolder, ORIGIN_KEY_FILE)).mode & 0o777).toBe(0o600);
  expect(statSync(dataFolder).mode & 0o777).toBe(0o700);
});

describe('the data folder', () => {
  const folderOn = (platform: NodeJS.Platform, env: Record<string, string>) =>
    dataFolderOf({ platform, env });

  it('is that of the environment it is given', () => {
    expect(folderOn('linux', { HOME: '/home/me' })).toBe('/home/me/.local/share/tardigrade-agent');
    expect(folderOn('linux', { HOME: '/x', XDG_DATA_HOME: '/d' })).toBe('/d/tardigrade-agent');
    expect(folderOn('win32', { USERPROFILE: 'C:\\me' })).toBe(
      'C:\\me\\AppData\\Local\\tardigrade-agent',
    );
  });

  it('is absolute for a user without a home', () => {
    expect(folderOn('linux', { HOME: '' })).toMatch(/^\//);
    expect(folderOn('darwin', { HOME: 'relative' })).toMatch(/^\//);
  });
});
