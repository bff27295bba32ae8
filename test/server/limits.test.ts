/** What the holder of one token may ask for. */
import { expect, test } from 'vitest';
import { RequestLimits } from '../../src/server/http/limits.ts';

const limited = () => {
  const clock = { at: 0, monotonic: () => clock.at };
  return { clock, limits: new RequestLimits(clock) };
};
const LOOKS = { name: 'a', rights: ['observe'], isOwn: false } as const;
const WORKS = { name: 'b', rights: ['observe', 'work'], isOwn: false } as const;
const taken = (act: () => void): number => {
  for (let count = 0; ; count += 1) {
    try {
      if (count > 2000) return Number.POSITIVE_INFINITY;
      act();
    } catch {
      return count;
    }
  }
};

test('requests: a burst, then so many a second, and nobody takes those of another', () => {
  const { clock, limits } = limited();
  expect(taken(() => limits.count(LOOKS))).toBe(200);
  expect(taken(() => limits.count(WORKS))).toBe(200);
  clock.at += 1000;
  expect(taken(() => limits.count(LOOKS))).toBe(100);
  clock.at += 3_600_000;
  expect(taken(() => limits.count(LOOKS))).toBe(200);
  expect(taken(() => limits.count({ name: 'o', isOwn: true }))).toBe(Number.POSITIVE_INFINITY);
});

test('streams: of one run and of all, and one that ends makes room', () => {
  const { limits } = limited();
  expect(taken(() => limits.open(LOOKS, '/run/1'))).toBe(20);
  expect(taken(() => limits.open(LOOKS, '/run/2'))).toBe(20);
  expect(taken(() => limits.open(LOOKS, '/run/3'))).toBe(10);
  expect(taken(() => limits.open(WORKS, '/run/1'))).toBe(50);
  const { limits: fresh } = limited();
  const close = fresh.open(WORKS, '/run/1');
  expect(taken(() => fresh.open(WORKS, '/run/1'))).toBe(49);
  close();
  expect(taken(() => fresh.open(WORKS, '/run/1'))).toBe(1);
});
