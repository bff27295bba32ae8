import { describe, expect, test } from 'vitest';
import { SEEDED_BUGS } from './seeded-bugs.ts';
import { casesUntilCaught, crashStorage } from './storage.ts';

describe('storage under faults', () => {
  test('keeps what was acknowledged and uses nothing wrong, in a sample of every kind', () => {
    const reports = crashStorage(97);
    expect(reports.filter(({ cases }) => cases === 0)).toEqual([]);
    expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
  });

  test.each(Object.entries(SEEDED_BUGS))('would show this bug: %s', (_what, planted) => {
    expect(casesUntilCaught(planted, 3)).not.toBeNull();
  });
});
