import { expect, test } from 'vitest';
import { crashDamage } from './damage.ts';

test('a sample of damaged states: no command loses a goal, says what is false, or stops with a stack', async () => {
  const reports = await crashDamage(211);
  expect(reports.length).toBeGreaterThan(20);
  expect(
    reports.flatMap(({ kind, violations }) => violations.map((text) => `${kind}: ${text}`)),
  ).toEqual([]);
});
