import { expect, it } from 'vitest';
import { listingOf } from '../../src/host/journals/journal.ts';
import { undoChanges, undoPlan } from '../../src/host/journals/undo.ts';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../support/test-machine.ts';

const work = (name: string) => ({
  subtasks: [
    { action: 'write_file', file: `${name}.mjs`, purpose: 'prints it' },
    { action: 'run_cmd', cmd: `node ${name}.mjs`, purpose: 'see it' },
  ],
  verify: { cmd: `node ${name}.mjs`, prints: name },
  files: { [`${name}.mjs`]: [`console.log("${name}");\n`] },
});

it('undoing an older run names no blob that a later run keeps its files in', async () => {
  const world = testWorld();
  world.write('mine.txt', 'mine\n');
  await runIn(world, scriptedProvider(diligentModel(work('one'))), { goal: 'Print one' });
  world.write('later.txt', 'later\n');
  await runIn(world, scriptedProvider(diligentModel(work('two'))), { goal: 'Print two' });
  const machine = world.machine();
  const older = listingOf(machine, WORKSPACE).find(({ goal }) => goal === 'Print one');
  const which = { run: older?.id };
  const plan = undoPlan(machine, WORKSPACE, undefined, which);
  expect(plan?.files).toEqual(['one.mjs (created by the run, will be removed)']);
  expect(plan?.damage).toBeUndefined();
  const request = { workspace: WORKSPACE, forceUnlock: false, onRecord: () => {}, ...which };
  expect(undoChanges(world.machine(), request).damage).toBeUndefined();
  expect(world.read('one.mjs')).toBeNull();
});
