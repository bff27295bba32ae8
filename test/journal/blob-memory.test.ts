import { expect, test } from 'vitest';
import { createBlobMemory } from '../../src/journal/blobs/memory.ts';

const ROOM = { beginning: 10, later: 10, each: 6 };
const bytes = (length: number) => new Uint8Array(length);

function remembered(...lengths: readonly [name: string, length: number][]): string[] {
  const memory = createBlobMemory(ROOM);
  for (const [name, length] of lengths) memory.remember(name, bytes(length));
  return [...memory.entries()].map(([name]) => name);
}

test('the first blobs stay, and of those behind them the longest unused go', () => {
  const all = remembered(['a', 5], ['b', 5], ['c', 4], ['d', 4], ['c', 4], ['e', 4]);
  expect(all).toEqual(['a', 'b', 'c', 'e']);
});

test('one that is too large is left out, and pushes nothing out', () => {
  expect(remembered(['a', 5], ['b', 5], ['c', 4], ['big', 7])).toEqual(['a', 'b', 'c']);
});

test('no more is held than there is room for, whatever comes', () => {
  const memory = createBlobMemory(ROOM);
  for (let n = 0; n < 500; n++) memory.remember(`${n % 37}`, bytes(n % 8));
  const held = [...memory.entries()].reduce((sum, [, each]) => sum + each.length, 0);
  expect(held).toBeLessThanOrEqual(ROOM.beginning + ROOM.later);
});
