/** One of the kills of a run whose subtasks are runs; `npm run crash` tries all of them. */
import { expect, it, onTestFinished } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { calmFaults, faultsOf, pointsOf, seenOf } from './children.ts';

// Within one process test/run/children/children.test.ts tries records of the run, too.
it('asks and does the same after a kill at a record of a subtask', async () => {
  const agent = pinAgent();
  onTestFinished(() => agent.dispose());
  const calm = await seenOf(agent, null);
  expect(calmFaults(calm)).toEqual([]);
  expect(pointsOf(calm).length).toBeGreaterThan(100);
  const last = calm.journals['1.1'].records.findLast(({ type }) => type === 'action_finished');
  const point = { in: '1.1', seq: last?.seq ?? 0 } as const;
  expect(faultsOf(calm, await seenOf(agent, point), point)).toEqual([]);
}, 240_000);
