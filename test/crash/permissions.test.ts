/** A sample of the kills around a permission; `npm run crash` makes every one. */
import { expect, it } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { answeredAndKilled } from './permissions.ts';

/** Of a run with one command that asks: the record of the wish, and the one of the answer. */
const RECORDS = [12, 18];
const LIMIT_MS = 60_000;

it.each(RECORDS)(
  'a run killed at record %i, while its command waits for a yes or has just got one, runs it once with that yes',
  async (seq) => {
    const agent = pinAgent();
    try {
      const { faults } = await answeredAndKilled(agent, { at: 'record', seq }, ['a']);
      expect(faults).toEqual([]);
    } finally {
      agent.dispose();
    }
  },
  LIMIT_MS,
);
