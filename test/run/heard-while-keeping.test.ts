import { expect, test } from 'vitest';
import { diligentModel } from '../support/models.ts';
import { runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const WORK = {
  subtasks: [{ action: 'run_cmd', cmd: 'node hello.mjs', purpose: 'shows it' }],
};

test('a signal is heard while the files of a large folder are kept, and no command begins then', async () => {
  const world = testWorld();
  world.write('hello.mjs', 'console.log("hello");\n');
  for (let file = 0; file < 40; file++) world.write(`data${file}.txt`, `${file}`);
  const user = new AbortController();
  let now = 1_700_000_000_000;
  let breaths = 0;
  const machine = world.machine();
  const clock = {
    ...machine.clock,
    // Each look at the clock finds it later: keeping takes its time.
    now: () => {
      now += 20;
      return now;
    },
    breathe: async () => {
      breaths += 1;
      user.abort();
    },
  };
  const { result } = await runIn(world, scriptedProvider(diligentModel(WORK)), {
    machine: { ...machine, clock },
    signal: user.signal,
  });
  expect(breaths).toBeGreaterThan(1);
  expect(result).toMatchObject({ ending: 'paused', why: 'interrupted' });
  expect(world.commands).toEqual([]);
  const again = await runIn(world, scriptedProvider(diligentModel(WORK)), { goal: null });
  expect(again.result.state.commands.length).toBeGreaterThan(0);
});
