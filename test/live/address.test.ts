import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFileSystem } from '../../src/lib/files/file-system.ts';
import { keepNote, newAddress, notesIn, sweepDead } from '../../src/live/address.ts';
import type { LivePlace } from '../../src/live/socket-folder.ts';
import { thisMachine } from '../../src/run/machine.ts';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'a-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const place = (more: Partial<LivePlace> = {}): LivePlace => ({
  ...{ fs: nodeFileSystem, identity: thisMachine().identity, dataFolder: join(folder, 'data') },
  ...{ runtimeFolder: null, temporary: folder, user: userInfo().uid, random: randomBytes },
  ...more,
});
const NOTED = { run: 'a1', workspace: '/work', since: 5, why: '' };

const addressIn = (more: Partial<LivePlace> = {}): string => {
  const found = newAddress(place(more));
  if ('why' in found) throw new Error(found.why);
  return found.address;
};
const whyIn = (more: Partial<LivePlace> = {}) => {
  const found = newAddress(place(more));
  return 'why' in found ? found.why : found;
};

describe.skipIf(process.platform === 'win32')('a socket', () => {
  test('lies in the runtime folder of this user, else in a closed folder for temporary files', () => {
    const runtimeFolder = join(folder, 'run');
    mkdirSync(runtimeFolder, { mode: 0o700 });
    expect(dirname(addressIn({ runtimeFolder }))).toBe(join(runtimeFolder, 'tardigrade-agent'));
    const other = addressIn();
    expect(basename(dirname(other))).toMatch(/^tardigrade-agent-\d+$/);
    expect(statSync(dirname(other)).mode & 0o777).toBe(0o700);
    expect(addressIn()).not.toBe(other);
  });

  test('lies in no runtime folder that others can enter, or that is a link', () => {
    const open = join(folder, 'open');
    mkdirSync(open, { mode: 0o755 });
    const link = join(folder, 'link');
    mkdirSync(join(folder, 'real'), { mode: 0o700 });
    symlinkSync(join(folder, 'real'), link);
    for (const runtimeFolder of [open, link, join(folder, 'none')])
      expect(dirname(dirname(addressIn({ runtimeFolder })))).toBe(folder);
  });

  test.each([
    ['a folder that others can enter', (path: string) => mkdirSync(path, { mode: 0o755 })],
    [
      'a link to one of this user',
      (path: string) => {
        mkdirSync(`${path}.real`, { mode: 0o700 });
        symlinkSync(`${path}.real`, path);
      },
    ],
    ['a file', (path: string) => writeFileSync(path, '')],
  ])('is not put where somebody laid %s', (_, lay) => {
    const path = join(folder, `tardigrade-agent-${userInfo().uid}`);
    lay(path);
    if (statSync(path).isDirectory() && basename(path) === basename(realpathSync(path)))
      chmodSync(path, 0o755);
    expect(whyIn()).toMatch(/is not a folder of this user alone|cannot be made/);
  });

  test('is not put into a folder of another user', () => {
    addressIn();
    expect(whyIn({ user: userInfo().uid + 1 })).toMatch(/is not a folder of this user alone\.$/);
  });

  test('has a name of at most 100 bytes', () => {
    const fits = join(folder, 'x'.repeat(100));
    mkdirSync(fits);
    expect(whyIn({ temporary: fits })).toMatch(/would be too long\.$/);
    expect(Buffer.byteLength(addressIn())).toBeLessThanOrEqual(100);
  });
});

test('a pipe of Windows is random, and lies in no folder', () => {
  const fs = { ...nodeFileSystem, platform: 'win32' } as const;
  expect(addressIn({ fs })).toMatch(/^\\\\\.\\pipe\\tardigrade-[0-9a-f]{32}$/);
});

test('a note is for this user alone, and is found while its owner lives', () => {
  const takeAway = keepNote(place(), { ...NOTED, address: '/x' });
  const [name = ''] = readdirSync(join(folder, 'data', 'live'));
  if (process.platform !== 'win32')
    expect(statSync(join(folder, 'data', 'live', name)).mode & 0o777).toBe(0o600);
  expect(name).toMatch(/^[0-9a-f]{32}\.json$/);
  expect(notesIn(place())).toMatchObject([{ ...NOTED, address: '/x', pid: process.pid }]);
  takeAway();
  expect(notesIn(place())).toEqual([]);
});

test.skipIf(process.platform === 'win32')(
  'what a dead owner left is swept, and nothing else',
  async () => {
    const address = addressIn();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(address, resolve));
    const precious = join(folder, `${'ab'.repeat(16)}.sock`);
    writeFileSync(precious, 'mine');
    keepNote(place(), { ...NOTED, address: null });
    keepNote(place(), { ...NOTED, run: 'a2', address });
    keepNote(place(), { ...NOTED, run: 'a3', address: precious });
    const notes = join(folder, 'data', 'live');
    writeFileSync(join(notes, 'other.txt'), 'x');
    writeFileSync(join(notes, `${'cd'.repeat(16)}.json`), 'no note');
    for (const name of readdirSync(notes)) {
      const path = join(notes, name);
      const text = readFileSync(path, 'utf8');
      if (/"a[23]"/.test(text))
        writeFileSync(path, text.replace(/"startTime":"[^"]*"/, '"startTime":"1"'));
    }
    expect(notesIn(place()).map(({ run }) => run)).toEqual(['a1']);
    sweepDead(place());
    expect(existsSync(address)).toBe(false);
    expect(readFileSync(precious, 'utf8')).toBe('mine');
    expect(readdirSync(notes)).toHaveLength(3);
    server.close();
  },
);
