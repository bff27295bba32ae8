import { expect, test } from 'vitest';
import { runPage } from '../../src/server/runs/run-page.ts';

const run = (id: string, lastAt: number) => ({ id, lastAt });
const idsOf = ({ runs }: ReturnType<typeof runPage>): string => runs.map(({ id }) => id).join('');

test('the pages of a list are all of it, the latest first', () => {
  const all = [run('a', 1), run('c', 3), run('b', 3), run('e', 2), run('d', 2)];
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page: ReturnType<typeof runPage> = runPage(all, { after, limit: 2 });
    seen.push(idsOf(page));
    after = page.next;
  } while (after !== null);
  expect(seen).toEqual(['bc', 'de', 'a']);
});

test.each([
  ['goes on in between', [run('a', 1), run('b', 9), run('c', 3)]],
  ['is gone', [run('a', 1), run('c', 3)]],
])('a page stays behind the one before, also where its last run %s', (_, then) => {
  const { next } = runPage([run('a', 1), run('b', 2), run('c', 3)], { after: null, limit: 2 });
  expect(idsOf(runPage(then, { after: next, limit: 2 }))).toBe('a');
});

test.each(['garbage', 'a7e8069cf03e58a7', '1.', '.a', '1.a b'])('%j is no place', (after) => {
  expect(() => runPage([run('a', 1)], { after, limit: 2 })).toThrow('names no place');
});
