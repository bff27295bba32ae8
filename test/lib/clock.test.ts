/** The time of the machine as a port. */
import { getEventListeners } from 'node:events';
import { expect, test, vi } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';

const LONG_MS = 60_000;
const timers = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a wait that is stopped ends with the reason, and leaves no timer behind', async () => {
  const before = timers();
  const stop = new AbortController();
  const why = new Error('enough');
  const waiting = systemClock.sleep(LONG_MS, stop.signal);
  expect(timers()).toBe(before + 1);
  stop.abort(why);
  await expect(waiting).rejects.toBe(why);
  await expect(systemClock.sleep(LONG_MS, stop.signal)).rejects.toBe(why);
  expect(timers()).toBe(before);
});

test('a wait that has passed no longer listens whether it is stopped', async () => {
  const stop = new AbortController();
  await systemClock.sleep(1, stop.signal);
  expect(getEventListeners(stop.signal, 'abort')).toEqual([]);
  await systemClock.sleep(1);
});

test('a wait of any length lasts as long as was asked', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const day = 24 * 60 * LONG_MS;
    const stop = new AbortController();
    const over: string[] = [];
    const long = systemClock.sleep(60 * day).then(() => over.push('two months'));
    const endless = systemClock.sleep(Number.POSITIVE_INFINITY, stop.signal);
    endless.catch(() => over.push('stopped'));
    await vi.advanceTimersByTimeAsync(60 * day - 1);
    expect(over).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await long;
    stop.abort();
    await expect(endless).rejects.toBe(stop.signal.reason);
    expect(over).toEqual(['two months', 'stopped']);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
