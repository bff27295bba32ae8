import { expect, test } from 'vitest';
import * as library from '../../../src/index.ts';
import { diligentModel } from '../../support/models.ts';
import { SAY_HELLO } from '../../support/run-in.ts';
import { SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';
import { testWorld, WORKSPACE } from '../../support/test-machine.ts';

const model = () =>
  scriptedProvider(
    diligentModel({
      subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
      verify: { cmd: 'node hello.mjs', prints: 'hello' },
      files: { 'hello.mjs': ['console.log("hello");\n'] },
    }),
  );

test('a run is taken step by step, each by a call that opens it anew', async () => {
  const world = testWorld();
  const provider = model();
  const where = { workspace: WORKSPACE, machine: world.machine() };
  const options = { goal: SAY_HELLO, provider, model: SCRIPTED_MODEL, run: 'job-7', ...where };
  let steps = 0;
  let result: library.RunOutcome | null = null;
  while (result === null) {
    const run = await library.openRun(options);
    result = run.result ?? (await run.takeStep());
    await run.close();
    steps += 1;
  }
  expect(result).toMatchObject({
    ...{ ending: 'achieved', exitCode: 0, files: ['hello.mjs'] },
    state: { run: 'job-7' },
  });
  expect(steps).toBeGreaterThan(5);
  const over = await library.resumeAt({ ...where, provider, model: SCRIPTED_MODEL, run: 'job-7' });
  expect(over.result).toMatchObject({ ending: 'already_finished', exitCode: 0 });
  await over.close();
});

test('a call with an option that nobody knows is refused by its name', async () => {
  const call = { goal: 'x', workspace: WORKSPACE, modle: 'y' } as never;
  await expect(library.openRun(call)).rejects.toThrow('openRun has no option');
});

test('two steps at once are refused, and so is one of a closed run; neither harms the run', async () => {
  const where = { workspace: WORKSPACE, machine: testWorld().machine() };
  const run = await library.openRun({
    ...{ goal: SAY_HELLO, provider: model(), model: SCRIPTED_MODEL, ...where },
  });
  for (;;) {
    const [first, second] = await Promise.allSettled([run.takeStep(), run.takeStep()]);
    expect(second).toMatchObject({ reason: { code: 'E_USAGE', message: 'A step is under way.' } });
    if (first.status === 'rejected') throw first.reason;
    if (first.value === null) continue;
    expect(first.value.ending).toBe('achieved');
    break;
  }
  await run.close();
  await expect(run.takeStep()).rejects.toMatchObject({ code: 'E_USAGE' });
});
