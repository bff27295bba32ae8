import { expect, test } from 'vitest';
import { crashDamage } from './damage.ts';

test('a sample of damaged states: no command loses a goal, says what is false, or stops with a stack', async () => {
  const reports = await crashDamage(397);
  expect(reports.length).toBeGreaterThan(12);
  expect(
    reports.flatMap(({ kind, violations }) => violations.map((text) => `${kind}: ${text}`)),
  ).toEqual([]);
});
