import { describe, expect, test } from 'vitest';
import { crashEngine, engineCasesUntilCaught } from './engine.ts';
import { ENGINE_BUGS } from './engine-bugs.ts';

/** Generous: the machine may be busy with everything else. */
const TIMEOUT_MS = 300_000;

/** One for each thing that is judged; `npm run crash` plants all of them. */
const SHOWN = [
  'no fdatasync after a record',
  'calls that run before their turn is durable',
  'a command of unknown outcome run again',
  'a program of a killed run left alone',
  'files written in place',
  'nothing taken back after a failed write',
  'a journal without checksums',
  'no barrier before the exit code',
  'an undo whose files are not synced',
];

// The simulated disk is a POSIX one, and node:path joins as the host does.
describe.skipIf(process.platform === 'win32')('a whole run under faults', () => {
  test(
    'repeats nothing, loses nothing and ends well, in a sample of every kind of fault',
    async () => {
      // One of each kind; `npm run crash` plays all of them.
      const reports = await crashEngine(1e9);
      expect(reports.filter(({ cases }) => cases === 0)).toEqual([]);
      expect(reports.reduce((sum, { cases }) => sum + cases, 0)).toBeGreaterThan(15);
      expect(reports.flatMap(({ violations }) => violations)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test.each(SHOWN)(
    'would show this bug: %s',
    async (what) => {
      const planted = ENGINE_BUGS[what];
      if (planted === undefined) throw new Error('There is no such bug.');
      expect(await engineCasesUntilCaught(planted)).not.toBeNull();
    },
    TIMEOUT_MS,
  );
});
