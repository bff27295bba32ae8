import { beforeAll, describe, expect, it } from 'vitest';
import { ON_RESTATE } from '../support/fleet-engines.ts';
import { describeFleet } from './on-engine.ts';
import {
  LABELS,
  type TakenOver,
  takenOver,
  WHY_NO_TWO_MACHINES as WHY_NOT,
} from './two-machines.ts';

/** It mostly waits for a lease to run out, so it is begun before all others and looked at last. */
let taken: Promise<TakenOver> | undefined;
beforeAll(() => {
  if (WHY_NOT !== '') return;
  taken = takenOver();
  // It is awaited below; until then its failure is nobody's.
  taken.catch(() => {});
});

describeFleet(ON_RESTATE);

describe.skipIf(WHY_NOT !== '')(
  `two machines that see one folder${WHY_NOT && ` (${WHY_NOT})`}`,
  () => {
    it('where the first hangs beyond its lease the second goes on, and the first writes nothing once it wakes', async () => {
      const { ended, atLast, begun } = (await taken) as TakenOver;
      expect(ended).toMatch(/"type":"lease_taken".*"host":"two"/);
      expect(atLast).toBe(ended);
      expect(begun).toEqual(LABELS);
    }, 120_000);
  },
);
