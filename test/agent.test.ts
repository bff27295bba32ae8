import { describe, expect, it } from 'vitest';
import { TardigradeError } from '../src/lib/errors.ts';
import { ProviderError } from '../src/llm/provider.ts';
import type { JournalRecord } from '../src/schema/records.ts';
import { lessonsInMemory } from './support/lessons.ts';
import { diligentModel, wantedBy } from './support/models.ts';
import { journalOf, runIn, UNSTATED } from './support/run-in.ts';
import { LARGE, type Script, scriptedProvider } from './support/scripted-provider.ts';
import { type TestWorld, testWorld, WORKSPACE } from './support/test-machine.ts';

const HELLO = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

const MODES = ['native', 'json'] as const;

const BROKEN = { kind: 'invalid_response' } as const;
const UNREAD = { ...BROKEN, ofCall: true } as const;

/** Trials in a copy left out. */
const commandsIn = ({ commands }: TestWorld): readonly string[] =>
  commands.flatMap(({ line, cwd }) => (cwd === WORKSPACE ? [line] : []));

describe.each(MODES)('a goal in %s mode', (toolMode) => {
  it('is achieved when the program is written and its proof passes', async () => {
    const world = testWorld();
    const provider = scriptedProvider(diligentModel(HELLO));
    const { result } = await runIn(world, provider, { toolMode });
    expect(result.ending).toBe('achieved');
    expect(world.read('hello.mjs')).toBe('console.log("hello");\n');
    // An example of the goal, and the proof.
    expect(commandsIn(world)).toEqual(['node hello.mjs', 'node hello.mjs']);
    expect(journalOf(world).filter((one) => one.type === 'run_finished')).toHaveLength(1);
  });

  it('whose result is text ends with that text', async () => {
    const world = testWorld();
    world.write('todo.txt', 'Buy milk.\n');
    const read = { action: 'read_file', file: 'todo.txt', purpose: 'tell what it says' };
    const provider = scriptedProvider(diligentModel({ subtasks: [read], answer: 'Buy milk.' }));
    const { result } = await runIn(world, provider, { toolMode, goal: 'What shall I do?' });
    expect(result).toMatchObject({ ending: 'answered', answer: 'Buy milk.' });
  });

  it('is worked on as one subtask when no usable plan comes, and says so', async () => {
    const model = diligentModel(HELLO);
    // A text alone would end a survey as the answer: where tools are on the wire it looks, and looks.
    const look = (n: number) => ({
      calls: [{ name: 'search_text', args: { pattern: `word${n}` } }],
    });
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'plan') return model(request, n);
      return request.tools ? look(n) : 'I cannot plan.';
    };
    const options = { toolMode, goal: 'Write hello.mjs' };
    const { result, events } = await runIn(testWorld(), scriptedProvider(script), options);
    expect(result.state.plan?.fallback).toBe(true);
    expect(result.ending, 'nothing proves it').not.toBe('achieved');
    expect(events).toContainEqual(expect.objectContaining({ type: 'notice', level: 'warning' }));
  });

  it('is planned anew twice at most when it does not work, then fails honestly', async () => {
    const subtasks = [{ action: 'run_cmd', cmd: 'node none.mjs', purpose: 'shows it' }];
    const model = diligentModel({ subtasks });
    const cannot = { name: 'mark_subtask_complete', args: { success: false, reason: 'no file' } };
    const script: Script = (request, n) =>
      wantedBy(request) === 'tools' ? { calls: [cannot] } : model(request, n);
    const { result, records } = await runIn(testWorld(), scriptedProvider(script), { toolMode });
    expect(result.ending).toBe('failed');
    expect(records.filter((one) => one.type === 'replan_started')).toHaveLength(2);
    expect(records.filter((one) => one.type === 'replanned')).toHaveLength(2);
  });

  it('pauses when no model answers, with every attempt recorded, and goes on later', async () => {
    const world = testWorld();
    const gone = scriptedProvider(() => ({ fails: { kind: 'network_error', retryable: true } }));
    const { result, records } = await runIn(world, gone, { toolMode });
    expect(result).toMatchObject({ ending: 'paused', why: 'provider_unavailable' });
    const attempts = records.flatMap((one) =>
      one.type === 'turn_finished' ? [`${one.turn}.${one.attempt}`] : [],
    );
    const turns = toolMode === 'native' ? [1, 2] : [2, 3];
    const failed = turns.flatMap((turn) => [1, 2, 3].map((attempt) => `${turn}.${attempt}`));
    expect(attempts).toEqual(toolMode === 'native' ? failed : ['1.1', ...failed]);
    const back = scriptedProvider(diligentModel(HELLO));
    expect((await runIn(world, back, { toolMode })).result.ending).toBe('achieved');
  });

  it('pauses when the user stops it, and goes on from there', async () => {
    const world = testWorld();
    const stop = new AbortController();
    const provider = scriptedProvider(diligentModel(HELLO));
    const stopped = await runIn(world, provider, {
      toolMode,
      signal: stop.signal,
      onRecord: (record) => record.type === 'action_finished' && stop.abort(),
    });
    expect(stopped.result).toMatchObject({ ending: 'paused', why: 'interrupted' });
    expect((await runIn(world, provider, { toolMode, goal: null })).result.ending).toBe('achieved');
    expect(commandsIn(world)).toEqual(['node hello.mjs', 'node hello.mjs']);
  });

  it('writes nothing more once it is told that another process has it, and goes on there', async () => {
    const world = testWorld();
    const stop = new AbortController();
    const provider = scriptedProvider(diligentModel(HELLO));
    const fenced = new TardigradeError('E_FENCED', 'Another worker has taken the run over.', '');
    const written: JournalRecord[] = [];
    const lost = runIn(world, provider, {
      toolMode,
      signal: stop.signal,
      onRecord: (record) => {
        written.push(record);
        if (record.type === 'action_finished') stop.abort(fenced);
      },
    });
    await expect(lost).rejects.toBe(fenced);
    expect(written.at(-1)?.type).toBe('action_finished');
    expect((await runIn(world, provider, { toolMode, goal: null })).result.ending).toBe('achieved');
  });

  it('counts its rounds from the last start', async () => {
    const world = testWorld();
    const provider = scriptedProvider(diligentModel(HELLO));
    // A model that leads plans, writes and says so in a round each; one that is led is asked in one round alone.
    const [first, then] = toolMode === 'native' ? [2, 2] : [0, 1];
    const limited = await runIn(world, provider, { toolMode, maxRounds: first });
    expect(limited.result).toMatchObject({ ending: 'paused', why: 'limit_rounds' });
    const again = await runIn(world, provider, { toolMode, maxRounds: then });
    expect(again.result.ending).toBe('achieved');
  });

  it('that is reached is not worked on again unless it is asked for', async () => {
    const world = testWorld();
    const provider = scriptedProvider(diligentModel(HELLO));
    await runIn(world, provider, { toolMode });
    const asked = provider.requests.length;
    expect((await runIn(world, provider, { toolMode })).result.ending).toBe('already_finished');
    expect(provider.requests.length).toBe(asked);
    const again = await runIn(world, provider, { toolMode, again: true });
    expect(again.result.ending).not.toBe('already_finished');
    expect(provider.requests.length).toBeGreaterThan(asked);
  });
});

describe('a model that can call tools', () => {
  it('but only talks is nudged twice, then the run is stalled', async () => {
    const model = diligentModel(HELLO);
    const script: Script = (request, n) =>
      wantedBy(request) === 'tools' ? 'Let me think about it.' : model(request, n);
    const { result, records } = await runIn(testWorld(), scriptedProvider(script), {
      toolMode: 'native',
    });
    expect(result).toMatchObject({ ending: 'paused', why: 'stalled' });
    const nudges = records.filter((one) => one.type === 'message_added' && one.cause === 'nudge');
    expect(nudges).toHaveLength(2);
  });

  it('that leaves out the content of a file is told so, as the result of its call', async () => {
    const model = diligentModel(HELLO);
    let isFirst = true;
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'tools' || !isFirst) return model(request, n);
      isFirst = false;
      return { calls: [{ name: 'write_file', args: { path: 'hello.mjs' } }] };
    };
    const { records } = await runIn(testWorld(), scriptedProvider(script), { toolMode: 'native' });
    const first = records.find((one) => one.type === 'action_finished' && one.does !== 'sets_plan');
    expect(first).toMatchObject({ tool: 'write_file', status: 'error' });
    expect(
      records.some((one) => one.type === 'message_added' && one.cause === 'content_question'),
    ).toBe(false);
  });

  it('and writes calls as text that can be used goes on as it was', async () => {
    const model = diligentModel(HELLO);
    const looks = JSON.stringify({ name: 'list_dir', arguments: { path: '.' } });
    let said = 0;
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'tools' || said === 2) return model(request, n);
      said += 1;
      return looks;
    };
    const { result, records } = await runIn(testWorld(), scriptedProvider(script, LARGE));
    expect(result.ending).toBe('achieved');
    expect(records.filter((one) => one.type === 'settings_changed')).toHaveLength(1);
  });

  it('but whose calls cannot be used is led, by another plan, and the next run begins so', async () => {
    const model = diligentModel(HELLO);
    const script: Script = (request, n) =>
      wantedBy(request) === 'tools'
        ? { text: '<tool_call>{"name": "write_file", ' }
        : model(request, n);
    const lessons = lessonsInMemory();
    const world = testWorld();
    const provider = scriptedProvider(script, LARGE);
    const { result, records } = await runIn(world, provider, { lessons });
    expect(result.state.settings?.driver).toBe('guided');
    expect(result.ending).toBe('achieved');
    expect(records.map(({ type }) => type)).toContain('replanned');
    const seqs = journalOf(world).map((one) => one.seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    const next = await runIn(testWorld(), scriptedProvider(script, LARGE), { lessons });
    expect(next.records.flatMap((one) => (one.type === 'settings_changed' ? one.why : []))).toEqual(
      ['guided: learnt on 2023-11-14 that its calls cannot be used'],
    );
    expect(next.result.ending).toBe('achieved');
  });

  it.each([
    ['pauses and is not led where answers broke off on their way', BROKEN, 0, 'paused', 'free'],
    ['is not led where calls that can be read come in between', UNREAD, 1, 'achieved', 'free'],
    ['is led in this run alone where others could be read', UNREAD, 0, 'achieved', 'guided'],
  ] as const)('%s', async (_, fails, between, ending, driver) => {
    const model = diligentModel(HELLO);
    let asked = 0;
    const script: Script = (request, n) => {
      if (wantedBy(request) !== 'tools') return model(request, n);
      asked += 1;
      const look = { calls: [{ name: 'list_dir', args: { path: '.' } }] };
      if (asked === 1 || (asked === 3 && between === 1)) return look;
      return asked <= 3 + between ? { fails } : model(request, n);
    };
    const lessons = lessonsInMemory();
    const { result } = await runIn(testWorld(), scriptedProvider(script, LARGE), { lessons });
    expect(result).toMatchObject({ ending, state: { settings: { driver } } });
    const next = await runIn(testWorld(), scriptedProvider(model, LARGE), { lessons });
    expect(next.result.state.settings?.driver).toBe('free');
  });

  it('that is large gets the usual window where memory bears no larger one', async () => {
    const model = diligentModel(HELLO);
    const script: Script = (request, n) =>
      request.contextWindow > 16_384
        ? { fails: { kind: 'model_error', retryable: false, lacks: 'memory' } }
        : model(request, n);
    const lessons = lessonsInMemory();
    const provider = scriptedProvider(script, LARGE);
    const { result } = await runIn(testWorld(), provider, { lessons });
    expect(result.ending).toBe('achieved');
    expect(provider.requests.map(({ contextWindow }) => contextWindow).slice(0, 2)).toEqual([
      32_768, 16_384,
    ]);
    const again = scriptedProvider(script, LARGE);
    await runIn(testWorld(), again, { lessons });
    expect(again.requests[0]?.contextWindow).toBe(16_384);
    const asked = await runIn(testWorld(), scriptedProvider(script, LARGE), {
      contextWindow: 32_768,
    });
    expect(asked.result).toMatchObject({ ending: 'paused', why: 'provider_unavailable' });
  });

  it('and only talks stalls, whoever chose who leads', async () => {
    const model = diligentModel(HELLO);
    const talks: Script = (request, n) =>
      wantedBy(request) === 'tools' ? 'I would write a file now.' : model(request, n);
    for (const toolMode of ['auto', 'native'] as const) {
      const told = await runIn(testWorld(), scriptedProvider(talks, LARGE), { toolMode });
      expect(told.result).toMatchObject({ ending: 'paused', why: 'stalled' });
      expect(told.result.state.settings?.driver).toBe('free');
      expect(
        told.records.filter((one) => one.type === 'message_added' && one.cause === 'nudge'),
      ).toHaveLength(2);
    }
  });

  it('is free where its server lets it answer outside a schema, however small it is', async () => {
    const model = diligentModel(HELLO);
    const script: Script = (request, n) =>
      wantedBy(request) === 'tools' ? model(request, n) : 'Here is what I would do: write a file.';
    const lessons = lessonsInMemory();
    const provider = scriptedProvider(script, { contextWindow: 32_768 });
    const { result, records } = await runIn(testWorld(), provider, { goal: UNSTATED, lessons });
    expect(result.state.settings).toMatchObject({ driver: 'free', mayChangeDriver: false });
    expect(records.flatMap((one) => (one.type === 'settings_changed' ? one.why : []))).toEqual([
      'guided: it has 1 billion parameters, which is small for working with tools',
      'its server does not hold its answers to a schema',
    ]);
    // Nothing of the first question is in the conversation that begins then.
    expect(provider.requests[1]?.messages).toHaveLength(2);
    const next = await runIn(testWorld(), scriptedProvider(script), { lessons });
    expect(next.result.state.settings?.why).toBe(
      'free: learnt on 2023-11-14 that its server does not hold its answers to a schema',
    );
  });
});

it('whose model cannot be had leaves no run, and sets none aside', async () => {
  const world = testWorld();
  const half = scriptedProvider(diligentModel(HELLO));
  await runIn(world, half, { goal: 'Say hello', maxRounds: 1 });
  const before = journalOf(world);
  const gone = {
    ...scriptedProvider(diligentModel(HELLO)),
    describe: () =>
      Promise.reject(
        new ProviderError({ kind: 'model_error', retryable: false }, 'It is not there.', ''),
      ),
  };
  await expect(runIn(world, gone, { goal: 'Another goal' })).rejects.toThrow('It is not there.');
  expect(journalOf(world)).toEqual(before);
});
