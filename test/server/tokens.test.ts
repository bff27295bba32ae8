/** Links and tokens of the server. */
import { expect, test } from 'vitest';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { Tokens } from '../../src/server/http/tokens.ts';

const clock = { now: () => 1, monotonic: () => 1 };

test('a link whose token cannot be stored is not used up, and is used up once it is', () => {
  const fs = new MemoryFileSystem();
  let made = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(made++);
  const tokens = new Tokens({ fs, file: '/tokens.json', clock, random });
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
  const tokens = new Tokens({ fs, file: '/tokens.json', clock: ticking, random });
  for (let count = 0; count < 10; count += 1)
    expect(() => tokens.exchange('wrong')).toThrow('has been used');
  expect(() => tokens.exchange(tokens.link(['observe']))).toThrow('Too many');
  Object.assign(at, { now: 0, monotonic: 60_001 });
  expect(tokens.exchange(tokens.link(['observe'])).rights).toEqual(['observe']);
});

test('two servers that keep tokens in one file lose none of each other', () => {
  const fs = new MemoryFileSystem();
  let made = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(made++);
  const opened = () => new Tokens({ fs, file: '/tokens.json', clock, random });
  const [one, other] = [opened(), opened()];
  const given = [one, other, one].map((tokens) => tokens.exchange(tokens.link(['work'])).token);
  const later = opened();
  for (const token of given) expect(later.holderOf(`Bearer ${token}`).rights).toEqual(['work']);
});
