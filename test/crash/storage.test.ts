import { describe, expect, test } from 'vitest';
import { SEEDED_BUGS } from './seeded-bugs.ts';
import { casesUntilCaught, crashStorage } from './storage.ts';

/** Generous: the machine may be busy with everything else. */
const TIMEOUT_MS = 300_000;

describe('storage under faults', () => {
  test(
    'keeps what was acknowledged and uses nothing wrong, in a sample of every kind',
    () => {
      const reports = crashStorage(1999);
      expect(reports.filter(({ cases }) => cases === 0)).toEqual([]);
      expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test.each(Object.entries(SEEDED_BUGS))(
    'would show this bug: %s',
    (_what, planted) => {
      expect(casesUntilCaught(planted)).not.toBeNull();
    },
    TIMEOUT_MS,
  );
});
