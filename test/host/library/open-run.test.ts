import { describe, expect, test } from 'vitest';
import * as library from '../../../src/index.ts';
import { diligentModel } from '../../support/models.ts';
import { asked, callingOwn, OWN_GOAL, SEND } from '../../support/own-tools.ts';
import { SAY_HELLO } from '../../support/run-in.ts';
import { LARGE, SCRIPTED_MODEL, scriptedProvider } from '../../support/scripted-provider.ts';
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

/** A tool that works until it is stopped, and what it saw. */
function endless() {
  const seen: string[] = [];
  let began = (): void => {};
  const isAtWork = new Promise<void>((resolve) => {
    began = resolve;
  });
  const send = asked((_input) => '', { touches: 'reads' });
  const tool: typeof send = {
    ...send,
    execute: (_input, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          seen.push('stopped');
          resolve('');
        });
        began();
      }),
  };
  return { tool, isAtWork, seen };
}

describe('closing ends what is under way before it gives the folder up:', () => {
  test('a step', async () => {
    const where = { workspace: WORKSPACE, machine: testWorld().machine() };
    const { tool, isAtWork, seen } = endless();
    const options = { ...where, provider: callingOwn(SEND), model: SCRIPTED_MODEL, tools: [tool] };
    const run = await library.openRun({ ...options, goal: OWN_GOAL, toolMode: 'native' });
    const steps = (async () => {
      for (;;) await run.takeStep();
    })().catch((error: unknown) => error);
    await isAtWork;
    await run.close();
    expect(seen).toEqual(['stopped']);
    expect(await steps).toMatchObject({ code: 'E_USAGE', message: 'The run is closed.' });
    const again = await library.resumeAt(options);
    await again.close();
  });

  test('a message', async () => {
    const where = { workspace: WORKSPACE, machine: testWorld().machine() };
    const { tool, isAtWork, seen } = endless();
    const provider = scriptedProvider(() => ({ calls: [SEND] }), LARGE);
    const options = { ...where, provider, model: SCRIPTED_MODEL, tools: [tool] };
    const session = await library.createSession({ ...options, name: 'talk' });
    const call = session.send('Send it.');
    await isAtWork;
    await session.close();
    expect(seen).toEqual(['stopped']);
    expect(await call).toMatchObject({ ending: 'interrupted' });
    const again = await library.createSession({ ...options, name: 'talk', resume: true });
    await again.close();
  });
});
