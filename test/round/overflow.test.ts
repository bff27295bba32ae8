/** A prompt that does not fit, through the whole engine and a server that says so, or does not. */
import { afterEach, describe, expect, it } from 'vitest';
import { ollamaProvider } from '../../src/llm/ollama/ollama-provider.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import type { ToolMode } from '../../src/schema/records.ts';
import { MODEL, overOllama } from '../support/e2e-model.ts';
import { type FakeOllama, type Overflow, startFakeOllama } from '../support/fake-ollama.ts';
import type { Era } from '../support/fake-ollama-eras.ts';
import {
  BOTH_MODES,
  LONG_GOAL,
  logName,
  logReader,
  noteName,
  reader,
  writeNotes,
} from '../support/long-work.ts';
import { wantedBy } from '../support/models.ts';
import { type RunIn, runIn, type Told } from '../support/run-in.ts';
import { type Script, scriptedProvider } from '../support/scripted-provider.ts';
import { someKills } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

interface Case {
  readonly window: number;
  readonly overflow: Overflow;
  /** Notes to read: each is shown as far as a result may go. */
  readonly notes: number;
  /** Of the window asked for, what the server really has; nobody tells. */
  readonly share: number;
}

const OVERFLOWS: readonly Overflow[] = ['400 text', '400 nested', 'halve', 'drop'];

/** Of the server that answers an overflow so. */
const eraOf = (overflow: Overflow): Era =>
  overflow === '400 text' || overflow === 'drop' ? '0.24' : '0.33';

/** Each way to overflow in a window of its own; `npm run crash` takes every pair. */
const CASES: readonly Case[] = [
  ...OVERFLOWS.flatMap((overflow, at) =>
    someKills([4096, 8192, 16_384], 3, at + 1).map((window) => ({
      window,
      overflow,
      notes: window > 8192 ? 12 : 8,
      share: overflow === 'drop' ? 0.5 : 0.62,
    })),
  ),
  // Hundreds of kilobytes each.
  ...(process.env.EVERY_KILL
    ? ([
        { window: 131_072, overflow: '400 nested', notes: 26, share: 0.3 },
        { window: 131_072, overflow: '400 text', notes: 26, share: 0.3 },
        { window: 131_072, overflow: 'halve', notes: 40, share: 0.45 },
        { window: 131_072, overflow: 'drop', notes: 42, share: 0.45 },
      ] as const)
    : []),
];

const NOTE_CHARS = 8000;

let server: FakeOllama | undefined;
afterEach(() => server?.close());

async function throughServer(
  window: number,
  notes: number,
  options: { overflow: Overflow; realWindow: number; toolMode: ToolMode },
): Promise<{ told: Told; bodies: readonly string[] }> {
  const { overflow, realWindow, toolMode } = options;
  server = await startFakeOllama({
    script: overOllama(logReader(notes)),
    models: [{ name: MODEL, contextLength: window }],
    overflow,
    era: eraOf(overflow),
    realWindow,
  });
  const world = testWorld();
  writeNotes(world, notes, NOTE_CHARS);
  const provider = ollamaProvider({ host: server.url });
  const settings = { goal: LONG_GOAL, model: MODEL, toolMode, contextWindow: window };
  const told = await runIn(world, provider, { ...settings, maxRounds: 500 });
  await provider.close();
  return { told, bodies: server.chats };
}

const overflows = ({ records }: Told) =>
  records.filter((one) => one.type === 'turn_finished' && one.status.kind === 'context_overflow');

/** The tools of a model that leads take a third of 4,096 tokens. */
const modesIn = (window: number): readonly ToolMode[] => (window < 8192 ? ['json'] : BOTH_MODES);

/** One of both in turn; `npm run crash` takes every pair. */
const someModesIn = (window: number, overflow: Overflow): readonly ToolMode[] =>
  window < 8192
    ? modesIn(window)
    : someKills(BOTH_MODES, 2, OVERFLOWS.indexOf(overflow) + (window > 8192 ? 1 : 0));

describe.each(CASES)('a window of $window tokens that is really smaller, $overflow', (one) => {
  const { window, overflow, notes, share } = one;
  it.each(someModesIn(window, overflow))(
    'the goal is reached in %s mode, and never forgotten',
    async (toolMode) => {
      // Tools take their part of it, too.
      const real = toolMode === 'native' && window < 20_000 ? Math.min(share, 0.5) : share;
      const options = { overflow, realWindow: Math.floor(window * real), toolMode };
      const { told, bodies } = await throughServer(window, notes, options);
      expect(told.result.detail).not.toContain('larger window');
      expect(told.result.ending).toBe('answered');
      // What the first one shows of the window is remembered, so that there is hardly another one: a server
      // that does not say how large it is leaves a guess, and the tools take a third of it.
      expect(overflows(told).length).toBeGreaterThan(0);
      expect(overflows(told).length).toBeLessThanOrEqual(overflow === '400 nested' ? 1 : 3);
      const windows = told.records.flatMap((record) =>
        record.type === 'settings_changed' ? [record.numCtx] : [],
      );
      expect(windows.at(-1)).toBeLessThan(window * 0.75);
      if (overflow === '400 nested') expect(windows).toEqual([window, Math.floor(window * real)]);
      expect(told.records.some((record) => record.type === 'compacted')).toBe(true);
      for (const body of bodies) expect(body).toContain(LONG_GOAL);
      const acting = bodies.filter((body) => !body.includes('"tasks"') || toolMode === 'json');
      for (const body of acting.slice(1)) expect(body).toContain(logName(notes));
    },
  );
});

/** None of these overflows: how the server would say it is another one from window to window. */
const AS_ASKED: readonly Pick<Case, 'window' | 'overflow'>[] = [
  { window: 4096, overflow: '400 text' },
  { window: 8192, overflow: '400 nested' },
  ...(process.env.EVERY_KILL
    ? ([
        { window: 16_384, overflow: '400 text' },
        { window: 131_072, overflow: '400 nested' },
      ] as const)
    : []),
];

/** Replies that stay behind each summary when it is put there. */
const keptAfterDrops = ({ records, states }: Told): readonly number[] =>
  records.flatMap((record, index) => {
    if (record.type !== 'compacted' || record.cut) return [];
    const conversation = states[index]?.conversation ?? [];
    const summary = conversation.findIndex((ref) => ref.cause === 'summary');
    return [conversation.slice(summary).filter((ref) => ref.role === 'assistant').length];
  });

describe.each(AS_ASKED)('a window of $window tokens as asked for, $overflow', (one) => {
  const { window, overflow } = one;
  it.each(someModesIn(window, overflow))(
    'a long run stays below it in %s mode',
    async (toolMode) => {
      const many = toolMode === 'native' ? 56 : 48;
      const notes = window > 20_000 ? many : window > 8192 ? 14 : 11;
      const { told } = await throughServer(window, notes, {
        overflow,
        realWindow: window,
        toolMode,
      });
      expect(told.result).toMatchObject({ ending: 'answered' });
      expect(overflows(told)).toEqual([]);
      expect(told.result.state.counters.compactions).toBeGreaterThan(0);
      expect(told.result.state.settings?.numCtx).toBe(window);
      // One that waits for its answer is the fifth exchange.
      if (window > 4096) expect(Math.min(...keptAfterDrops(told))).toBeGreaterThanOrEqual(4);
    },
  );
});

describe('the window that was really loaded', () => {
  it('is taken as it is from the second turn on, also after a crash between the two', async () => {
    server = await startFakeOllama({
      script: overOllama(logReader(2)),
      models: [{ name: MODEL, contextLength: 8192 }],
      loadedWindow: 4096,
    });
    const world = testWorld();
    writeNotes(world, 2, 100);
    const provider = ollamaProvider({ host: server.url });
    const options = { goal: LONG_GOAL, model: MODEL };
    const machine = world.machine();
    const killed = runIn(world, provider, {
      ...options,
      machine,
      onRecord: ({ type }) => {
        if (type !== 'turn_finished') return;
        machine.kill();
        throw new Error('killed');
      },
    });
    await expect(killed).rejects.toThrow();
    await runIn(world, provider, options);
    const asked = server.chats.map((body) => JSON.parse(body).options.num_ctx);
    expect(asked.slice(0, 3)).toEqual([8192, 4096, 4096]);
    await provider.close();
  });
});

const sizeOf = ({ messages }: ModelRequest): number => JSON.stringify(messages).length;

/** Refuses what is longer than so many characters; tells no token counts. */
const narrow =
  (most: number, script: Script): Script =>
  (request, n) =>
    sizeOf(request) > most && wantedBy(request) !== 'plan'
      ? { fails: { kind: 'context_overflow' } }
      : script(request, n);

const NOTES = 9;

function worldWithNotes(chars = 1600): TestWorld {
  const world = testWorld();
  writeNotes(world, NOTES, chars);
  return world;
}

const inWorld = (world: TestWorld, script: Script, options: RunIn) =>
  runIn(world, scriptedProvider(script, { contextWindow: 8192 }), {
    goal: LONG_GOAL,
    maxRounds: 100,
    ...options,
  });

describe('a prompt that can never fit', () => {
  it.each(BOTH_MODES)('ends the run resumably in %s mode, with what to do', async (toolMode) => {
    const told = await inWorld(worldWithNotes(), narrow(200, logReader(NOTES)), { toolMode });
    expect(told.result).toMatchObject({ ending: 'paused', why: 'context_overflow' });
    expect(told.result).toMatchObject({
      detail: expect.stringContaining('8192 tokens'),
      hint: expect.stringMatching(/smaller goal.*model.*larger window/),
      option: 'contextWindow',
      optionValue: '16384',
    });
    expect(overflows(told).length).toBeLessThanOrEqual(5);
  });

  it.each(BOTH_MODES)('is shortened twice at most in %s mode', async (toolMode) => {
    let isFull = false;
    const full: Script = (request, n) => {
      isFull ||= sizeOf(request) > 9_000;
      return isFull ? { fails: { kind: 'context_overflow' } } : logReader(NOTES)(request, n);
    };
    const told = await inWorld(worldWithNotes(), full, { toolMode });
    expect(told.result).toMatchObject({ ending: 'paused', why: 'context_overflow' });
    const planned = told.records.findIndex(({ type }) => type === 'replan_started');
    const within = told.records.slice(0, planned < 0 ? undefined : planned);
    const methods = within.flatMap((one) =>
      one.type === 'compaction_started' ? [one.method] : [],
    );
    expect(methods.filter((method) => method === 'drop').length).toBeLessThanOrEqual(2);
    expect(methods.filter((method) => method === 'cut').length).toBeLessThanOrEqual(2);
    expect(methods.length).toBeGreaterThan(0);
    // Five exchanges stay at first, the newest one at last.
    if (toolMode === 'native') {
      expect(methods).toContain('cut');
      expect(keptAfterDrops(told).at(-1) ?? 0).toBeLessThanOrEqual(5);
    }
    // Neither can another plan be asked for, so the one there is stays as it was.
    const subtasks = told.result.state.plan?.tasks.flatMap((task) => task.subtasks);
    expect(subtasks).toHaveLength(NOTES);
    expect(told.result.state.counters.replans).toBe(planned < 0 ? 0 : 1);
  });

  it('goes on when it is resumed with a larger window', async () => {
    const world = worldWithNotes();
    const script: Script = (request, n) =>
      request.contextWindow < 16_384
        ? narrow(200, logReader(NOTES))(request, n)
        : logReader(NOTES)(request, n);
    const provider = scriptedProvider(script, { contextWindow: 32_768 });
    const options: RunIn = { goal: LONG_GOAL, maxRounds: 100 };
    const first = await runIn(world, provider, { ...options, contextWindow: 8192 });
    expect(first.result).toMatchObject({ ending: 'paused', why: 'context_overflow' });
    const second = await runIn(world, provider, { ...options, contextWindow: 16_384 });
    expect(second.result.ending).toBe('answered');
  });
});

describe('a window of 4096 tokens that is really far smaller, and files that are shown before a plan', () => {
  it.each(
    someKills(
      OVERFLOWS.flatMap((overflow) => [1500, 1800].map((real) => [overflow, real] as const)),
      8,
    ),
  )('what was shown gives way, and the goal is reached: %s, %i', async (overflow, realWindow) => {
    const count = 6;
    server = await startFakeOllama({
      script: overOllama(reader(count)),
      models: [{ name: MODEL, contextLength: 4096 }],
      ...{ overflow, era: eraOf(overflow), realWindow },
    });
    const world = testWorld();
    writeNotes(world, count, 4000, noteName);
    const provider = ollamaProvider({ host: server.url });
    const settings = { model: MODEL, toolMode: 'json', contextWindow: 4096 } as const;
    const told = await runIn(world, provider, { goal: LONG_GOAL, ...settings, maxRounds: 100 });
    await provider.close();
    expect(told.result.ending).toBe('answered');
    for (const body of server.chats) expect(body).toContain(LONG_GOAL);
    const plan = told.records.find((one) => one.type === 'message_added');
    const cut = told.records.flatMap((one) => (one.type === 'compacted' ? (one.cut ?? []) : []));
    expect(cut.map(({ seq }) => seq)).toContain(plan?.seq);
  });
});

describe('results that are too long for a window', () => {
  it.each(BOTH_MODES)(
    'are cut with a marker in %s mode when nothing older can go',
    async (mode) => {
      const world = worldWithNotes(4000);
      const provider = scriptedProvider(narrow(4200, logReader(1)), { contextWindow: 8192 });
      const told = await runIn(world, provider, { goal: LONG_GOAL, toolMode: mode });
      expect(told.result.ending).toBe('answered');
      expect(told.records).toContainEqual(
        expect.objectContaining({ type: 'compaction_started', method: 'cut' }),
      );
      const last = provider.requests.at(-1)?.messages ?? [];
      const shown = last.find(({ content }) => /\n\[truncated \d+ chars\]\n/.test(content));
      expect(shown?.role).toBe(mode === 'native' ? 'tool' : 'user');
      expect(shown?.content).toMatch(/^line 0 of note 1/);
    },
  );
});

// In the other mode in overflow-subtask.test.ts; `npm run crash` takes both.
describe.each(someKills(BOTH_MODES, 2))('an overflow and a crash in %s mode', (toolMode) => {
  it('send the same requests whichever record of a sample the run is killed after', async () => {
    const script = narrow(11_000, logReader(NOTES));
    const options: RunIn = { goal: LONG_GOAL, toolMode, maxRounds: 100 };
    const run = async (killAt: number) => {
      const world = worldWithNotes();
      const provider = scriptedProvider(script, { contextWindow: 8192 });
      const machine = world.machine();
      const onRecord = (_: unknown, seen: number): void => {
        if (seen !== killAt) return;
        machine.kill();
        throw new Error('killed');
      };
      let told = await runIn(world, provider, { ...options, machine, onRecord }).catch(() => null);
      told ??= await runIn(world, provider, options);
      return { requests: provider.requests.map((one) => JSON.stringify(one)), told };
    };
    const calm = await run(0);
    expect(calm.told.result.ending).toBe('answered');
    const types = calm.told.records.map(({ type }) => type);
    const places = types.flatMap((_, index) =>
      types.slice(Math.max(0, index - 2), index + 3).includes('compacted') ? [index + 1] : [],
    );
    expect(places.length).toBeGreaterThan(3);
    for (const index of someKills(places, 16, toolMode === 'json' ? 1 : 0)) {
      const { requests, told } = await run(index);
      expect(requests, `killed after record ${index}, ${types[index - 1]}`).toEqual(calm.requests);
      expect(told.result.ending).toBe('answered');
    }
  });
});
