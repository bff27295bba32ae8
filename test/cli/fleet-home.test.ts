/** A run that a worker opens at a home. */
import { expect, it } from 'vitest';
import { openOwnedRun } from '../../src/agent.ts';
import { openAtHome } from '../../src/cli/fleet/home.ts';
import { REQUEST } from '../fleet/in-process.ts';
import { diligentModel } from '../support/models.ts';
import { SAY_HELLO } from '../support/run-in.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const request = { ...REQUEST, run: 'r', workspace: WORKSPACE, goal: SAY_HELLO };
const home = {
  claim: async () => ({
    ...{ workspace: WORKSPACE, lost: new AbortController().signal },
    keep: async () => {},
    giveUp: async () => {},
  }),
};

it('a step of a run at a home ends once its worker is due back', async () => {
  const asked: boolean[] = [];
  const run = await openAtHome(home, request, async ({ workspace }) => {
    const active = await openOwnedRun({
      ...{ goal: SAY_HELLO, workspace, machine: testWorld().machine(), model: SCRIPTED_MODEL },
      provider: scriptedProvider(diligentModel({ subtasks: [] })),
    });
    const takeStep: typeof active.takeStep = (isDue = () => false) => {
      asked.push(isDue());
      return active.takeStep(isDue);
    };
    return { ...active, takeStep };
  });
  await run.takeStep(() => true);
  await run.close();
  expect(asked).toEqual([true]);
});
