/** Lets a caller take one step at a time, and none of a closed run: two at once would act on the same state. */
import { misuse } from '../lib/errors.ts';

export function oneStepAtATime<Args extends unknown[], Result>(
  take: (...args: Args) => Promise<Result>,
  release: () => Promise<void>,
): { takeStep(...args: Args): Promise<Result>; close(): Promise<void> } {
  let refusal: 'A step is under way.' | 'The run is closed.' | null = null;
  return {
    takeStep: async (...args) => {
      if (refusal !== null) throw misuse(refusal, 'Await each step; open the run to go on.');
      refusal = 'A step is under way.';
      try {
        return await take(...args);
      } finally {
        if (refusal === 'A step is under way.') refusal = null;
      }
    },
    close: () => {
      refusal = 'The run is closed.';
      return release();
    },
  };
}
