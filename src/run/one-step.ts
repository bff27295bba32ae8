/** Lets a caller take one step at a time, and none of a closed run: two at once would act on the same state. */
import { misuse } from '../lib/errors.ts';

/**
 * Closing first ends the step under way, and then releases the run, which another process may take up.
 * @param stop makes that step end
 */
export function oneStepAtATime<Args extends unknown[], Result>(
  take: (...args: Args) => Promise<Result>,
  { release, stop }: { release(): Promise<void>; stop(): void },
): { takeStep(...args: Args): Promise<Result>; close(): Promise<void> } {
  let isClosed = false;
  let underWay: Promise<Result> | null = null;
  return {
    takeStep: async (...args) => {
      if (isClosed) throw refused('The run is closed.');
      if (underWay !== null) throw refused('A step is under way.');
      underWay = take(...args);
      try {
        return await underWay;
      } finally {
        underWay = null;
      }
    },
    close: async () => {
      isClosed = true;
      if (underWay !== null) {
        stop();
        await Promise.allSettled([underWay]);
      }
      await release();
    },
  };
}

const refused = (why: string) => misuse(why, 'Await each step; open the run to go on.');
