/** Links and tokens of the server. */
import { expect, test } from 'vitest';
import { MemoryFileSystem } from '../../src/lib/files/memory-file-system.ts';
import { Tokens } from '../../src/server/http/tokens.ts';

test('a link whose token cannot be stored is not used up, and is used up once it is', () => {
  const fs = new MemoryFileSystem();
  let made = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(made++);
  const tokens = new Tokens({ fs, file: '/tokens.json', clock: { now: () => 1 }, random });
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

test('two servers that keep tokens in one file lose none of each other', () => {
  const fs = new MemoryFileSystem();
  let made = 0;
  const random = (bytes: number) => new Uint8Array(bytes).fill(made++);
  const opened = () => new Tokens({ fs, file: '/tokens.json', clock: { now: () => 1 }, random });
  const [one, other] = [opened(), opened()];
  const given = [one, other, one].map((tokens) => tokens.exchange(tokens.link(['work'])).token);
  const later = opened();
  for (const token of given) expect(later.holderOf(`Bearer ${token}`).rights).toEqual(['work']);
});
