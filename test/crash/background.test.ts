import { expect, test } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { faultsAt } from './background.ts';

test.skipIf(process.platform === 'win32')(
  'a program beside an agent that is killed is ended by the next start, told of, and not begun again',
  async () => {
    const agent = pinAgent();
    try {
      // The third request leaves while the first program works.
      expect(await faultsAt(agent, { at: 'request', n: 3, isHalfAnswered: false })).toEqual([]);
    } finally {
      agent.dispose();
    }
  },
  // A kill that comes too late on a busy machine is tried three times.
  180_000,
);
