/** A sample of the kills around a permission; `npm run crash` makes every one. */
import { expect, it, onTestFinished } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { answeredAndKilled } from './permissions.ts';

/** Of a run with one command that asks: the record of the wish, and the one of the answer. */
const RECORDS = [12, 18];
const LIMIT_MS = 60_000;

it(
  'a run killed while its command waits for a yes, or has just got one, runs it once with that yes',
  async () => {
    const agent = pinAgent();
    onTestFinished(() => agent.dispose());
    const seen = await Promise.all(
      RECORDS.map((seq) => answeredAndKilled(agent, { at: 'record', seq }, ['a'])),
    );
    expect(seen.map(({ faults }) => faults)).toEqual(RECORDS.map(() => []));
  },
  LIMIT_MS,
);
