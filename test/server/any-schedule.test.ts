/** Whatever breaks, every client of a stream is told each event once and in order. */
import { expect, test } from 'vitest';
import { fc } from '../support/dice.ts';
import { faultsOf } from '../support/stream-schedule.ts';

const RUNS = Number(process.env.RANDOM_RUNS ?? 8);

test.each([
  ['conversation', true],
  ['run', false],
])(
  'each client of a %s is told each event once and in order, whatever breaks',
  async (_, isChat) => {
    const dice = fc.array(fc.nat(839), { minLength: 50, maxLength: 900, size: 'max' });
    await fc.assert(
      fc.asyncProperty(dice, async (some) => {
        expect(await faultsOf(some, isChat)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  },
);
