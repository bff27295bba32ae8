import { expect, test } from 'vitest';
import { handlersFor } from '../../src/server/handlers.ts';

const journal = {
  *after() {
    yield Array.from({ length: 1200 }, (_, at) => ({ id: `${at + 1}.0`, event: { type: 'note' } }));
  },
};
const holdings = {
  place: { engine: {}, clock: { monotonic: () => 0 }, roots: [] },
  catalogue: { run: () => ({}) },
  feedOf: () => ({ journal }),
} as never;

const history = async (limit: string) => {
  const { runHistory } = handlersFor(holdings, {} as never);
  const call = { part: () => 'r', after: null, query: new URLSearchParams({ limit }) } as never;
  return (await runHistory(call)) as { events: object[]; next: string };
};

test.each([
  ['7', 7],
  ['', 50],
  ['1e9', 1000],
])('a page of the history with limit=%s is bounded', async (limit, count) => {
  const { events, next } = await history(limit);
  expect([events.length, next]).toEqual([count, `${count}.0`]);
});

test.each(['1.5', '0', '-3', 'x', 'Infinity'])('limit=%s is refused', async (limit) => {
  const hint = 'Give a whole number from 1 on.';
  await expect(history(limit)).rejects.toMatchObject({ code: 'E_USAGE', hint });
});
