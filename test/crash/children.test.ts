/** A sample of the kills of a run whose subtasks are runs; `npm run crash` tries all of them. */
import { expect, it, onTestFinished } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { type ChildPoint, calmFaults, faultsOf, pointsOf, seenOf } from './children.ts';

it('asks and does the same after a kill at records of the run and of its subtasks', async () => {
  const agent = pinAgent();
  onTestFinished(() => agent.dispose());
  const calm = await seenOf(agent, null);
  expect(calmFaults(calm)).toEqual([]);
  const after = (name: ChildPoint['in'], type: string): ChildPoint[] => {
    const found = calm.journals[name].records.findLast((one) => one.type === type);
    return found === undefined ? [] : [{ in: name, seq: found.seq }];
  };
  const points = [...after('1.1', 'action_finished'), ...after('', 'child_ended')];
  expect(pointsOf(calm).length).toBeGreaterThan(100);
  const killed = await Promise.all(points.map((point) => seenOf(agent, point)));
  expect(killed.map((seen, at) => faultsOf(calm, seen, points[at] as ChildPoint))).toEqual([
    [],
    [],
  ]);
}, 240_000);
