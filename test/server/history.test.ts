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

test.each([
  ['1.5', 1],
  ['0.5', 50],
  ['-3', 1],
  ['x', 50],
  ['Infinity', 1000],
  ['1e9', 1000],
])('a page of the history with limit=%s is bounded', async (limit, count) => {
  const { runHistory } = handlersFor(holdings, {} as never);
  const call = { part: () => 'r', after: null, query: new URLSearchParams({ limit }) } as never;
  const { events, next } = (await runHistory(call)) as { events: object[]; next: string };
  expect([events.length, next]).toEqual([count, `${count}.0`]);
});
