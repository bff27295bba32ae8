/** What `state.json` says for people beside the state. */
import { expect, it } from 'vitest';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const shownIn = (text: string | null) => JSON.parse(text ?? '');

it('a run with a plan shows the status of each task, and what its files and commands have come to', async () => {
  const world = testWorld();
  const work = {
    subtasks: [
      { action: 'write_file', file: 'one.mjs', purpose: 'the first' },
      { action: 'write_file', file: 'two.mjs', purpose: 'the second' },
    ],
    verify: { cmd: 'node one.mjs' },
    files: { 'one.mjs': ['console.log("hi");\n'], 'two.mjs': ['export const two = 2;\n'] },
  };
  let early: string | null = null;
  await runIn(world, scriptedProvider(diligentModel(work)), {
    ...{ goal: 'Write one.mjs and two.mjs', toolMode: 'json' },
    onRecord: (record) => {
      if (record.type === 'run_finished') early = world.read('.agent_context/state.json');
    },
  });
  expect(early).not.toBeNull();
  const { tasks, probe } = shownIn(world.read('.agent_context/state.json'));
  expect(tasks).toEqual([{ id: '1', description: 'the work', status: 'completed' }]);
  expect(probe).toMatchObject({
    files_written: ['one.mjs', 'two.mjs'],
    files_exist: ['one.mjs', 'two.mjs'],
    files_missing: [],
    recent_errors: [],
  });
  expect(probe.commands_run).toContain('node one.mjs -> rc=0');
});

it('what is planned and not there is missing, and a path that leads out is no file of the folder', async () => {
  const world = testWorld();
  const plan = { action: 'write_file', file: 'late.txt', purpose: 'never comes' };
  const provider = scriptedProvider((request, n) =>
    n > 1 ? { fails: { kind: 'auth_failed' } } : diligentModel({ subtasks: [plan] })(request, n),
  );
  await runIn(world, provider, { goal: 'Write late.txt', toolMode: 'json' });
  const { tasks, probe } = shownIn(world.read('.agent_context/state.json'));
  expect(tasks).toMatchObject([{ status: 'in_progress' }]);
  expect(probe.files_missing).toEqual(['late.txt']);
});
