/** The time of a run, over while a model answers. */
import { expect, test } from 'vitest';
import type { Provider } from '../../src/llm/provider.ts';
import { diligentModel } from '../support/models.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { scriptedProvider } from '../support/scripted-provider.ts';
import { testWorld } from '../support/test-machine.ts';

const LIMIT_MS = 20_000;
const model = diligentModel({
  subtasks: [{ action: 'write_file', file: 'one.txt', purpose: 'it' }],
  files: { 'one.txt': ['1\n'] },
});

/**
 * A model that answers nothing, and a clock whose time is over once it was asked.
 * @param isAnswered requests that it answers; their time does not count
 */
function slowWorld(
  isFree: boolean,
  { world = testWorld(), answers = model, isAnswered = (_asked: string): boolean => false } = {},
) {
  const machine = world.machine();
  let wasAsked: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    wasAsked = resolve;
  });
  let later = 0;
  let isEnded = false;
  let unanswered = 0;
  const clock = {
    now: () => machine.clock.now() + later,
    monotonic: () => machine.clock.monotonic() + later,
    sleep: (ms: number, signal?: AbortSignal) =>
      ms > LIMIT_MS / 2 && ms <= LIMIT_MS
        ? asked.then(() => {
            later = LIMIT_MS;
          })
        : machine.clock.sleep(ms, signal),
  };
  const scripted = scriptedProvider(answers);
  const provider: Provider = {
    ...scripted,
    isFree: () => isFree,
    stream: (request, signal) =>
      (async function* () {
        if (isAnswered(request.messages.at(-1)?.content ?? '')) {
          yield* scripted.stream(request, signal);
          return;
        }
        unanswered += 1;
        if (unanswered > 3) throw new Error('It is asked again and again.');
        wasAsked();
        await new Promise<void>((resolve) => {
          signal.addEventListener('abort', () => resolve(), { once: true });
          // A model that is paid for answers in the end.
          if (!isFree) setTimeout(resolve, 20);
        });
        isEnded = signal.aborted;
        if (!isEnded) yield { type: 'text' as const, text: '{}' };
      })(),
  };
  const run = () =>
    runIn(world, provider, {
      ...{ toolMode: 'json', maxTimeMs: LIMIT_MS, machine: { ...machine, clock } },
    });
  return { world, run, wasEnded: () => isEnded };
}

test('ends a request that costs nothing, and the next start asks it again', async () => {
  const { world, run, wasEnded } = slowWorld(true);
  const { result } = await run();
  expect(result).toMatchObject({ ending: 'paused', why: 'limit_time' });
  expect(wasEnded()).toBe(true);
  expect(journalOf(world).some(({ type }) => type === 'turn_finished')).toBe(false);
  const again = await runIn(world, scriptedProvider(model), { goal: null, toolMode: 'json' });
  expect(again.result.ending).not.toBe('paused');
  expect(world.read('one.txt')).toBe('1\n');
});

test('waits for an answer that is paid for', async () => {
  const { world, run, wasEnded } = slowWorld(false);
  await run();
  expect(wasEnded()).toBe(false);
  expect(journalOf(world).some(({ type }) => type === 'turn_finished')).toBe(true);
});

test('ends it while changes are to be withheld, and asks nothing again before the next start', async () => {
  const world = testWorld();
  world.write('app.mjs', 'console.log("old");\n');
  const answers = diligentModel({
    subtasks: [
      { action: 'write_file', file: 'app.mjs', purpose: 'prints new' },
      { action: 'write_file', file: 'more.mjs', purpose: 'is new' },
    ],
    files: { 'app.mjs': ['console.log("new");\n'], 'more.mjs': ['console.log("more");\n'] },
  });
  const isAnswered = (asked: string): boolean => !asked.includes('whole content of more.mjs');
  const { run } = slowWorld(true, { world, answers, isAnswered });
  const { result } = await run();
  expect(result).toMatchObject({ ending: 'paused', why: 'limit_time' });
  expect(result.withheld?.files.map(({ path }) => path)).toEqual(['app.mjs']);
  expect(world.read('app.mjs')).toBe('console.log("old");\n');
});
