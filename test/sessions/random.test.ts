/** Whatever the person, the model and programs do, a conversation keeps its promises. */
import { expect, it } from 'vitest';
import { fc } from '../support/dice.ts';
import { randomTalk, randomTalks } from '../support/random-talk.ts';

/** `npm run crash` tries many. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 8);

it('opens again after every kill, answers every call with one result, fails with no error of its own, and takes back what it did', async () => {
  await fc.assert(
    fc.asyncProperty(randomTalks, async (setup) => {
      expect(await randomTalk(setup)).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});
