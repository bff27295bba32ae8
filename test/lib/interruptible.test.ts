import { describe, expect, test } from 'vitest';
import {
  type Interruptible,
  interruptibleRunner,
  isInterrupt,
  runSync,
  withPauses,
} from '../../src/lib/interruptible.ts';

/** Counts to `most`, one piece each, and notes how it ended. */
function counting(most: number) {
  const seen = { counted: 0, isClosed: false };
  const work = function* (): Interruptible<number> {
    try {
      while (seen.counted < most) {
        seen.counted += 1;
        yield;
      }
      return seen.counted;
    } finally {
      seen.isClosed = true;
    }
  };
  return { seen, work };
}

describe('work in pieces', () => {
  test('is done to its end in one go, and the same with pauses', async () => {
    expect(runSync(counting(5).work())).toBe(5);
    let breaths = 0;
    const breathe = async () => {
      breaths += 1;
    };
    const value = await withPauses(counting(5).work(), breathe, new AbortController().signal);
    expect({ value, breaths }).toEqual({ value: 5, breaths: 5 });
  });

  test.each([1, 2, 5])(
    'aborted in breath %i it stops there, and closes what it opened',
    async (n) => {
      const { seen, work } = counting(5);
      const interrupt = new AbortController();
      let breaths = 0;
      const breathe = async () => {
        breaths += 1;
        if (breaths === n) interrupt.abort();
      };
      const error = await withPauses(work(), breathe, interrupt.signal).catch((thrown) => thrown);
      expect(isInterrupt(error)).toBe(true);
      expect(seen).toEqual({ counted: n, isClosed: true });
    },
  );

  test('of one piece is done all the same, whoever aborts', async () => {
    expect(await withPauses(counting(0).work(), () => null, AbortSignal.abort())).toBe(0);
  });

  test('has others have their turn once in a while, by the clock', async () => {
    let now = 0;
    let turns = 0;
    const clock = {
      now: () => now,
      breathe: async () => {
        turns += 1;
      },
    };
    const slow = function* (): Interruptible<void> {
      for (let piece = 0; piece < 10; piece += 1) {
        now += 100;
        yield;
      }
    };
    await interruptibleRunner(clock, new AbortController().signal)(slow());
    expect(turns).toBe(3);
  });
});
