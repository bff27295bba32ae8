/** Links and tokens of the server. */
import { expect, test } from 'vitest';
import { replaceFile } from '../../src/lib/files/durable-files.ts';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { sha256 } from '../../src/lib/sha256.ts';
import { Tokens } from '../../src/server/http/tokens.ts';

const clock = { now: () => 1, monotonic: () => 1 };

test('a link whose token cannot be stored is not used up, and is used up once it is', () => {
  const fs = new MemoryFileSystem();
  let made = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(made++);
  const tokens = new Tokens({ fs, folder: '/tokens', clock, random });
  const key = tokens.link(['observe']);
  const { rename } = fs;
  Object.assign(fs, {
    rename: () => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
    },
  });
  expect(() => tokens.exchange(key)).toThrow();
  Object.assign(fs, { rename });
  const { token } = tokens.exchange(key);
  expect(tokens.holderOf(`Bearer ${token}`).rights).toEqual(['observe']);
  expect(() => tokens.exchange(key)).toThrow('has been used');
});

test('wrong keys are forgotten after a minute, whatever the clock is set to', () => {
  const at = { now: 3_600_000, monotonic: 0 };
  const ticking = { now: () => at.now, monotonic: () => at.monotonic };
  const fs = new MemoryFileSystem();
  const random = (bytes: number) => new Uint8Array(bytes);
  const tokens = new Tokens({ fs, folder: '/tokens', clock: ticking, random });
  for (let count = 0; count < 10; count += 1)
    expect(() => tokens.exchange('wrong')).toThrow('has been used');
  expect(() => tokens.exchange(tokens.link(['observe']))).toThrow('Too many');
  Object.assign(at, { now: 0, monotonic: 60_001 });
  expect(tokens.exchange(tokens.link(['observe'])).rights).toEqual(['observe']);
});

test('a link works for a minute, whatever the clock is set to', () => {
  const at = { now: 3_600_000, monotonic: 0 };
  const ticking = { now: () => at.now, monotonic: () => at.monotonic };
  const random = (bytes: number) => Buffer.alloc(bytes, `${at.monotonic}.`);
  const tokens = new Tokens({
    ...{ fs: new MemoryFileSystem(), folder: '/tokens', clock: ticking, random },
  });
  const jumped = tokens.link(['work']);
  Object.assign(at, { now: 9e9, monotonic: 59_000 });
  expect(tokens.exchange(jumped).rights).toEqual(['work']);
  const old = tokens.link(['work']);
  Object.assign(at, { now: 0, monotonic: 120_000 });
  expect(() => tokens.exchange(old)).toThrow('too old');
});

test('two servers that store tokens at one moment lose none, and take those of each other', () => {
  const fs = new MemoryFileSystem();
  let made = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(made++);
  const opened = () => new Tokens({ fs, folder: '/tokens', clock, random });
  const [one, other] = [opened(), opened()];
  const given: string[] = [];
  const exchanged = (tokens: Tokens) => given.push(tokens.exchange(tokens.link(['work'])).token);
  const { rename } = fs;
  Object.assign(fs, {
    rename: (...names: Parameters<typeof rename>) => {
      Object.assign(fs, { rename });
      exchanged(other);
      rename.apply(fs, names);
    },
  });
  exchanged(one);
  exchanged(other);
  for (const tokens of [one, other, opened()])
    for (const token of given) expect(tokens.holderOf(`Bearer ${token}`).rights).toEqual(['work']);
  expect(given).toHaveLength(3);
});

test('of many tokens the latest stay, and those of an earlier build do', () => {
  const fs = new MemoryFileSystem();
  const at = { now: 1 };
  let made = 0;
  const random = (bytes: number) => Buffer.alloc(bytes, `${made++}.`);
  const ticking = { now: () => at.now++, monotonic: () => 1 };
  const earlier = 'earlier-'.repeat(4);
  const tokens = [{ hash: sha256(earlier), rights: ['work'], until: 1e12 }];
  replaceFile(fs, '/tokens.json', Buffer.from(JSON.stringify({ tokens })));
  const opened = () => new Tokens({ fs, folder: '/tokens', clock: ticking, random });
  const server = opened();
  const given = Array.from({ length: 201 }, () => server.exchange(server.link(['work'])).token);
  const [first, ...rest] = given;
  const later = opened();
  for (const token of [earlier, ...rest])
    expect(later.holderOf(`Bearer ${token}`).rights).toEqual(['work']);
  expect(() => later.holderOf(`Bearer ${first}`)).toThrow('not valid here');
});
