import { describe, expect, test } from 'vitest';
import * as library from '../../../src/index.ts';
import type { StreamEvent } from '../../../src/schema/events/stream.ts';
import { diligentModel } from '../../support/models.ts';
import { SAY_HELLO, UNSTATED } from '../../support/run-in.ts';
import {
  SCRIPTED_MODEL,
  type ScriptedReply,
  scriptedProvider,
} from '../../support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from '../../support/test-machine.ts';

const GOAL = SAY_HELLO;
const model = () =>
  diligentModel({
    subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
    verify: { cmd: 'node hello.mjs', prints: 'hello' },
    files: { 'hello.mjs': ['console.log("hello");\n'] },
  });

const optionsIn = (world: TestWorld): library.GoalOptions => ({
  ...{ goal: GOAL, workspace: WORKSPACE, machine: world.machine() },
  ...{ provider: scriptedProvider(model()), model: SCRIPTED_MODEL },
});

const whereIn = (world: TestWorld) => ({ workspace: WORKSPACE, machine: world.machine() });

async function all<Event>(events: AsyncIterable<Event>): Promise<Event[]> {
  const told: Event[] = [];
  for await (const event of events) told.push(event);
  return told;
}

const recordsOf = (events: readonly StreamEvent[]): number[] =>
  events.flatMap((event) => (event.type === 'record' ? [event.record.seq] : []));

const countedTo = (most: number): number[] => [...Array(most).keys()].map((at) => at + 1);

describe('a run', () => {
  test('resolves with its result, and its last event says the same', async () => {
    const run = library.runGoal(optionsIn(testWorld()));
    const [outcome, events] = await Promise.all([run, all(run)]);
    const ends = events.filter(({ type }) => type === 'started' || type === 'result');
    expect(ends).toEqual([events[0], events.at(-1)]);
    expect(ends.map(({ type }) => type)).toEqual(['started', 'result']);
    const { v, type: _type, run: id, ...said } = events.at(-1) as StreamEvent & { run: string };
    expect(v).toBe(1);
    expect(outcome).toMatchObject({ ...said, exitCode: 0, ending: 'achieved', goal: GOAL });
    expect(outcome.state.run).toBe(id);
    expect(recordsOf(events)).toEqual(countedTo(outcome.state.seq));
  });

  test('begins and ends without anybody who looks', async () => {
    const world = testWorld();
    const ended = new Promise<void>((resolve) => {
      library.runGoal({
        ...optionsIn(world),
        emit: (event) => {
          if (event.type === 'record' && event.record.type === 'run_finished') resolve();
        },
      });
    });
    await ended;
    expect(world.read('hello.mjs')).toBe('console.log("hello");\n');
  });

  test('that is paused resolves, and is gone on with by nothing but its folder', async () => {
    const world = testWorld();
    const first = await library.runGoal({ ...optionsIn(world), maxTokens: 0 });
    expect(first).toMatchObject({ ending: 'paused', why: 'limit_tokens', exitCode: 4 });
    const { goal: _goal, ...options } = optionsIn(world);
    const run = library.resumeRun({ ...options, maxTokens: 1e6 });
    const late = run.events();
    const fromStart = all(run.events({ from: 'start' }));
    const outcome = await run;
    expect(outcome).toMatchObject({ ending: 'achieved' });
    const seen = await fromStart;
    expect(seen[0]).toMatchObject({ type: 'started', resumed: true });
    expect(recordsOf(seen)).toEqual(countedTo(outcome.state.seq));
    expect(seen.filter(({ type }) => type === 'started' || type === 'result')).toHaveLength(2);
    // From its own beginning: what this start has added.
    const [begun] = recordsOf(await all(late));
    expect(begun).toBe(first.state.seq + 1);
    const told = seen.filter(({ seq }) => seq !== undefined);
    expect(await all(library.history(whereIn(world)))).toEqual(told);
  });

  test('that has ended is told from the start, too', async () => {
    const run = library.runGoal(optionsIn(testWorld()));
    const { state } = await run;
    const seen = await all(run.events({ from: 'start' }));
    expect([seen[0]?.type, seen.at(-1)?.type]).toEqual(['started', 'result']);
    expect(recordsOf(seen)).toEqual(countedTo(state.seq));
  });

  test('that has ended is told from its own journal when another run is the current one', async () => {
    const world = testWorld();
    const run = library.runGoal(optionsIn(world));
    const { state } = await run;
    await library.runGoal({ ...optionsIn(world), goal: UNSTATED });
    const seen = await all(run.events({ from: 'start' }));
    expect(new Set(seen.map((event) => event.run))).toEqual(new Set([state.run]));
    expect(recordsOf(seen)).toEqual(countedTo(state.seq));
  });

  test.each(['abort', 'signal'])('is stopped by its %s, and that is an ending', async (by) => {
    const stop = new AbortController();
    const run = library.runGoal({ ...optionsIn(testWorld()), signal: stop.signal });
    for await (const event of run) {
      if (event.type !== 'plan') continue;
      if (by === 'abort') run.abort();
      else stop.abort();
    }
    expect(await run).toMatchObject({ ending: 'paused', why: 'interrupted', exitCode: 130 });
  });

  test('that is stopped before its model is there has not gone on, and says what to do', async () => {
    const options = optionsIn(testWorld());
    const stop = new AbortController();
    const describe = () => {
      stop.abort();
      return new Promise<never>(() => {});
    };
    const provider = { ...scriptedProvider(model()), describe };
    await expect(
      library.runGoal({ ...options, provider, signal: stop.signal }),
    ).rejects.toMatchObject({
      ...{ code: 'E_INTERRUPTED', hint: expect.stringContaining('again') },
    });
  });

  test('goes on when its events are left', async () => {
    const run = library.runGoal(optionsIn(testWorld()));
    for await (const _event of run) break;
    expect(await run).toMatchObject({ ending: 'achieved' });
  });

  test('that fails is an ending', async () => {
    const fails = (): ScriptedReply => ({ fails: { kind: 'auth_failed' } });
    const run = library.runGoal({ ...optionsIn(testWorld()), provider: scriptedProvider(fails) });
    expect(await run).toMatchObject({ ending: 'paused', why: 'auth', exitCode: 7 });
  });

  test('is known by its id when the journal of the current one is damaged', async () => {
    const world = testWorld();
    const { state } = await library.runGoal(optionsIn(world));
    await library.runGoal({ ...optionsIn(world), goal: UNSTATED });
    const current = '.agent_context/history.jsonl';
    const text = world.read(current) ?? '';
    world.write(current, text.replace('"type":"settings_changed"', '"type":"settings_CHANGED"'));
    expect(await library.status({ ...whereIn(world), run: state.run })).toMatchObject({
      ...{ standing: 'achieved', owner: null },
    });
  });

  test('called wrongly rejects in the promise and in the iterator, behind the one event', async () => {
    const run = library.runGoal({ ...optionsIn(testWorld()), goal: ' ' });
    const iterator = run[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({
      ...{ v: 1, run: null, type: 'result', ending: 'error', exitCode: 2 },
      error: { code: 'E_USAGE' },
    });
    await expect(iterator.next()).rejects.toMatchObject({ code: 'E_USAGE' });
    await expect(run).rejects.toMatchObject({ code: 'E_USAGE', message: 'The goal is empty.' });
    const unknown = library.resumeRun({ ...whereIn(testWorld()), speed: 1 } as never);
    await expect(unknown).rejects.toThrow('resumeRun has no option "speed"');
    // A model that is not there is not asked first.
    const providers = { ollama: { baseUrl: 'http://127.0.0.1:1' } };
    const far = library.runGoal({ goal: ' ', workspace: '.', model: 'ollama/none', providers });
    await expect(far).rejects.toMatchObject({ code: 'E_USAGE', message: 'The goal is empty.' });
    // What is no goal at all does not throw at the caller either.
    const none = library.runGoal(undefined as unknown as library.GoalOptions);
    await expect(none).rejects.toMatchObject({ code: 'E_USAGE' });
    for (const wrong of [{ goal: 7 }, { workspace: null }, { model: {} }, { signal: 'stop' }]) {
      const options = { ...optionsIn(testWorld()), ...wrong } as unknown as library.GoalOptions;
      await expect(library.runGoal(options)).rejects.toMatchObject({ code: 'E_USAGE' });
    }
  });
});

describe('the model of a call', () => {
  test('is found by the name of a provider that was registered, and that one is closed', async () => {
    const told: unknown[] = [];
    const unregister = library.registerProvider('mine', (settings) => {
      told.push(settings);
      const close = async (): Promise<void> => void told.push('closed');
      return { ...scriptedProvider(model()), close };
    });
    try {
      const { provider: _provider, ...options } = optionsIn(testWorld());
      const providers = { mine: { apiKey: 'key-0123456789' } };
      const run = library.runGoal({ ...options, model: `mine/${SCRIPTED_MODEL}`, providers });
      expect(await run).toMatchObject({ ending: 'achieved' });
      expect(told).toEqual([{ apiKey: 'key-0123456789', model: SCRIPTED_MODEL }, 'closed']);
      expect(() => library.registerProvider('mine', () => scriptedProvider(model()))).toThrow(
        /cannot be registered/,
      );
    } finally {
      unregister();
    }
    unregister();
    for (const name of ['ollama', 'Mine', '', 'a/b'])
      expect(() => library.registerProvider(name, () => scriptedProvider(model()))).toThrow();
  });

  test('that needs a key says how the call gives it, and looks for none in the environment', async () => {
    const { provider: _provider, ...options } = optionsIn(testWorld());
    process.env.OPENAI_API_KEY = 'from-the-environment';
    try {
      const run = library.runGoal({ ...options, model: 'openai/gpt-5-mini' });
      await expect(run).rejects.toMatchObject({
        code: 'E_USAGE',
        message: 'OpenAI needs a key.',
        hint: expect.stringMatching(/^Give it: providers: \{ openai: \{ apiKey: /),
      });
    } finally {
      delete process.env.OPENAI_API_KEY;
    }
  });

  test('of a run that goes on is the one it had, unless only its caller had that', async () => {
    const world = testWorld();
    await library.runGoal({ ...optionsIn(world), maxTokens: 0 });
    const run = library.resumeRun(whereIn(world));
    await expect(run).rejects.toMatchObject({ code: 'E_USAGE', option: 'model' });
  });

  test('is not asked for where there is no run to go on with', async () => {
    const run = library.resumeRun(whereIn(testWorld()));
    await expect(run).rejects.toThrow('There is no run in this folder.');
  });
});

describe('what can be asked of a folder', () => {
  test('is nothing where nothing was', async () => {
    const where = whereIn(testWorld());
    expect(await library.status(where)).toBeNull();
    expect(await library.listRuns(where)).toEqual([]);
    expect(await all(library.history(where))).toEqual([]);
    expect(await all(library.diff(where))).toEqual([]);
    await expect(library.undo(where)).rejects.toMatchObject({ code: 'E_USAGE' });
  });

  test('is where its run stands, what it changed, and that it is undone', async () => {
    const world = testWorld();
    const { state } = await library.runGoal(optionsIn(world));
    const where = whereIn(world);
    expect(await library.status(where)).toMatchObject({ standing: 'achieved', origin: 'own' });
    const runs = [{ id: state.run, number: 1, goal: GOAL, status: 'achieved', isCurrent: true }];
    expect(await library.listRuns(where)).toMatchObject(runs);
    const [file] = await all(library.diff(where));
    expect(file).toMatchObject({ path: 'hello.mjs', before: null });
    expect(Buffer.from(file?.after ?? []).toString()).toBe('console.log("hello");\n');
    const told: string[] = [];
    const undone = library.undo({ ...where, onRecord: ({ type }) => void told.push(type) });
    expect(await undone).toMatchObject({ outcome: 'undone', removed: ['hello.mjs'] });
    expect(told).toEqual(['undo_started', 'file_restored', 'undo_finished']);
    expect(world.read('hello.mjs')).toBeNull();
    expect(await library.status(where)).toMatchObject({ standing: 'undone' });
  });

  test('of somebody else is shown and not acted on', async () => {
    const world = testWorld();
    const [mine, theirs] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    await library.runGoal({ ...optionsIn(world), originKey: theirs });
    const where = { ...whereIn(world), originKey: mine };
    expect(await library.status(where)).toMatchObject({ origin: 'foreign' });
    await expect(library.undo(where)).rejects.toMatchObject({ code: 'E_FOREIGN' });
    expect(await library.undo({ ...where, originKey: theirs })).toMatchObject({
      outcome: 'undone',
    });
  });
});

test('the models are told provider by provider, one that is not there with what it lacks', async () => {
  const found = await library.models({
    providers: {
      ollama: { baseUrl: 'http://127.0.0.1:9' },
      openai: { baseUrl: 'http://127.0.0.1:9/v1' },
    },
  });
  expect(found.find(({ provider }) => provider === 'openai')?.problem).not.toBe('');
  expect(found.map(({ provider }) => provider)).toContain('anthropic');
});
