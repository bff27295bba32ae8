/** A run that has ended is told of without its model: nobody is asked, so nobody needs to be there. */
import { afterEach, expect, it } from 'vitest';
import { openRun, resumeAt } from '../../../src/host/library/open-run.ts';
import { registerProvider } from '../../../src/host/library/registered-providers.ts';
import { resumeRun, runGoal } from '../../../src/host/library/run-goal.ts';
import { diligentModel } from '../../support/models.ts';
import { scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const goal = 'Write one.txt';
const WORK = {
  subtasks: [{ action: 'write_file', file: 'one.txt', purpose: 'the first' }],
  files: { 'one.txt': ['1\n'] },
};

let unregister = (): void => {};
afterEach(() => unregister());

/** The folder of a run that has ended, whose model is gone since. */
async function ended() {
  const where = { workspace: WORKSPACE, machine: testWorld().machine(), run: 'job-7' };
  unregister = registerProvider('mine', () => scriptedProvider(diligentModel(WORK)));
  const { ending } = await runGoal({ ...where, goal, model: 'mine/small', toolMode: 'json' });
  expect(ending).toBe('unverified');
  unregister();
  unregister = registerProvider('mine', () => {
    throw new Error('it is gone');
  });
  return where;
}

it('is the result of its goal given again, and of its id', async () => {
  const where = await ended();
  const again = { ...where, goal, model: 'mine/small' };
  expect(await runGoal(again)).toMatchObject({ ending: 'already_finished' });
  const run = await openRun(again);
  expect(run.result).toMatchObject({ ending: 'already_finished' });
  await run.close();
});

it('is resumed without a model, and none is looked for', async () => {
  const where = await ended();
  expect(await resumeRun(where)).toMatchObject({ ending: 'already_finished' });
  const run = await resumeAt(where);
  expect(run.result).toMatchObject({ ending: 'already_finished' });
  await run.close();
});

it('needs its model where it begins again', async () => {
  const { run: _run, ...where } = await ended();
  const call = runGoal({ ...where, goal, model: 'mine/small', again: true });
  await expect(call).rejects.toThrow('it is gone');
});
