/** A sample of the kill matrix; `npm run crash` tries all of it, and a run that plans and shortens anew, too. */
import { expect, it, onTestFinished } from 'vitest';
import { pinAgent } from '../support/kill-agent.ts';
import { openIntent } from '../support/kill-judge.ts';
import type { KillPoint, Witnessed } from '../support/kill-run.ts';
import { THREE_ACTIONS } from '../support/kill-scenarios.ts';
import { calmFaults, calmRun, violationsAt } from './kill-matrix.ts';

/** Places worth a kill in every test run: where something is decided, begun, or hidden. */
const CHOSEN: { readonly [place: string]: (calm: Witnessed) => KillPoint } = {
  'as a command begins': ({ journal: { records } }) => ({
    at: 'record',
    seq: seqOf(
      records.findLastIndex((one, at) => one.type === 'action_started' && isCommand(records, at)),
    ),
  }),
  'inside a command that does not let itself be ended': () => ({ at: 'command' }),
};

const isCommand = (records: Witnessed['journal']['records'], at: number): boolean =>
  openIntent(records.slice(0, at + 1))?.class === 'command';

function seqOf(index: number): number {
  expect(index).toBeGreaterThanOrEqual(0);
  return index + 1;
}

// Within one process test/run/recovery/resume.test.ts tries a sample of all records, of other runs, too.
it('the built agent, killed and started again, repeats nothing and asks what it would have asked', async () => {
  const agent = pinAgent();
  onTestFinished(() => agent.dispose());
  const calm = await calmRun(agent, THREE_ACTIONS);
  expect(calmFaults(THREE_ACTIONS, calm)).toEqual([]);
  const points = Object.values(CHOSEN).map((choose) => choose(calm));
  expect(await violationsAt(agent, THREE_ACTIONS, calm, points)).toEqual([]);
}, 180_000);
