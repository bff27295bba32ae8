import { afterEach, describe, expect, it } from 'vitest';
import type { RunGoalOptions } from '../../src/agent.ts';
import type { Candidate } from '../../src/llm/failover/candidate.ts';
import type { Located, RecordOf } from '../../src/schema/records.ts';
import type { FakeOllama } from '../support/fake-ollama.ts';
import { startFakeOllama } from '../support/fake-ollama.ts';
import { FaultClock } from '../support/fault-clock.ts';
import {
  diligentServer,
  FAULT_MODEL,
  FAULT_MODELS,
  FAULTS,
  faultyServer,
  healthyServer,
  lockedServer,
  renamed,
  wayTo,
} from '../support/faults.ts';
import { journalOf, type RunIn, runIn } from '../support/run-in.ts';
import { someKills } from '../support/some-kills.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const MINUTE = 60_000;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function served(server: Promise<FakeOllama>): Promise<FakeOllama> {
  const started = await server;
  open.push(started);
  return started;
}

/** A run whose model is reached in these ways, the first one preferred. */
function runWith(
  world: TestWorld,
  [first, ...fallbacks]: readonly Candidate[],
  clock: FaultClock,
  options: RunIn = {},
) {
  if (!first) throw new Error('A run needs a model.');
  for (const { provider } of [first, ...fallbacks]) open.unshift(provider);
  const { provider, model, profile } = first;
  const way: Partial<RunGoalOptions> = { model, profile, fallbacks };
  const machine = { ...world.machine(), clock };
  return runIn(world, provider, { ...way, machine, ...options });
}

const turns = (records: readonly Located[]): RecordOf<'turn_finished'>[] =>
  records.filter((one) => one.type === 'turn_finished');

const statuses = (records: readonly Located[]): string[] =>
  turns(records).map(({ status }) => status.kind);

const switches = (records: readonly Located[]) =>
  records.flatMap((one) =>
    one.type === 'settings_changed' && one.profile !== undefined
      ? [`${one.provider} ${one.profile}`]
      : [],
  );

const SERVER_ERROR = FAULTS.find(({ name }) => name === '3 × status 500')!;

/** One of each way to go on; what status each fault has is in test/llm/ollama. `npm run crash` plays every row. */
const PLAYED = FAULTS.filter(
  ({ times, isSilent }) => process.env.EVERY_KILL || times > 1 || isSilent,
);

describe('a run whose server has a fault', () => {
  it.each(PLAYED)('$name: $outcome, $status', async (fault) => {
    const world = testWorld();
    const clock = new FaultClock();
    const server = await served(faultyServer(fault));
    const way = wayTo(server, 'default');
    const emit: RunIn['emit'] = (event) => {
      if (fault.isSilent && event.type === 'text' && event.text.includes('half'))
        setImmediate(() => clock.advance(16 * MINUTE));
    };
    const options = { toolMode: 'auto', emit } as const;
    const mode = fault.toolMode === 'json' ? ({ ...options, toolMode: 'json' } as const) : options;
    const first = await runWith(world, [way], clock, mode);
    const broken = statuses(first.records).filter((status) => status === fault.status);
    expect(broken).toHaveLength(fault.times);
    expect(server.violations).toEqual([]);
    if (fault === SERVER_ERROR) {
      const [, ...asked] = server.chats.slice(0, 4).map((_, at) => server.chat(at).messages);
      expect(asked, 'every attempt asks the same').toEqual([asked[0], asked[0], asked[0]]);
    }
    if (fault.outcome === 'recovers') {
      expect(first.result.ending).toBe('achieved');
      return;
    }
    expect(first.result).toMatchObject({ ending: 'paused', why: 'provider_unavailable' });
    expect(turns(first.records).map(({ turn, attempt }) => [turn, attempt])).toEqual([
      // How the goal is read, then a plan.
      ...[1, 2].map((turn) => [turn, 1]),
      ...[1, 2, 3].map((attempt) => [3, attempt]),
      ...[1, 2, 3].map((attempt) => [4, attempt]),
    ]);
    expect(clock.waited).toEqual([1000, 2000, 4000, 8000, 16_000]);
    const second = await runWith(world, [way], clock, { ...mode, goal: null });
    expect(second.result.ending).toBe('achieved');
  });

  it('whose port is closed for half a minute waits for it and goes on', async () => {
    const clock = new FaultClock();
    const answer = diligentServer();
    const server = await startFakeOllama({ models: FAULT_MODELS, script: answer });
    let isBack = false;
    clock.onWait = async (time) => {
      if (isBack || time < 30_000) return;
      isBack = true;
      await served(startFakeOllama({ models: FAULT_MODELS, port: server.port, script: answer }));
    };
    const { result, records } = await runWith(testWorld(), [wayTo(server, 'default')], clock, {
      toolMode: 'json',
      onRecord: (record) => record.type === 'plan_set' && void server.close(),
    });
    expect(isBack).toBe(true);
    expect(result.ending).toBe('achieved');
    expect(new Set(statuses(records))).toEqual(new Set(['success', 'network_error']));
  });

  it('that is gone for good is given up after half a minute, and met again by a resume', async () => {
    const world = testWorld();
    const clock = new FaultClock();
    const answer = diligentServer();
    let server = await startFakeOllama({ models: FAULT_MODELS, script: answer });
    const { port } = server;
    const way = wayTo(server, 'default');
    const first = await runWith(world, [way], clock, {
      toolMode: 'json',
      onRecord: (record) => record.type === 'plan_set' && void server.close(),
    });
    expect(statuses(first.records).slice(2)).toEqual(Array(6).fill('network_error'));
    expect(first.result).toMatchObject({ ending: 'paused', why: 'provider_unavailable' });
    expect(clock.time).toBe(31_000);
    server = await served(startFakeOllama({ models: FAULT_MODELS, port, script: answer }));
    const second = await runWith(world, [way], clock, { toolMode: 'json', goal: null });
    expect(second.result.ending).toBe('achieved');
    const all = turns([...first.records, ...second.records]);
    expect(new Set(all.map(({ turn, status }) => `${turn} ${status.kind}`)).size).toBeGreaterThan(
      3,
    );
    expect(all.every(({ attempt }) => attempt <= 3)).toBe(true);
  });

  describe('killed in a wait', () => {
    const play = async (killAt: number | null) => {
      const world = testWorld();
      const server = await served(faultyServer({ ...SERVER_ERROR, times: 5 }));
      const ways = () => [wayTo(server, 'default')];
      const clock = new FaultClock();
      clock.onWait = async () => {
        if (clock.waited.length === killAt) throw new Error('killed');
      };
      const run = runWith(world, ways(), clock, { toolMode: 'json' });
      if (killAt === null) await run;
      else {
        await expect(run).rejects.toThrow('killed');
        await runWith(world, ways(), new FaultClock(), { toolMode: 'json', goal: null });
      }
      expect(journalOf(world).at(-1)).toMatchObject({ type: 'run_finished', ending: 'achieved' });
      return server.chats;
    };
    let calm: Promise<readonly string[]> | undefined;

    it.each(someKills([1, 2, 3, 4, 5], 3, 1))(
      'number %d asks just what it would have asked',
      async (wait) => {
        calm ??= play(null);
        const [killed, whole] = [await play(wait), await calm];
        expect(killed.map((body) => JSON.parse(body).options.seed)).toEqual(
          whole.map((body) => JSON.parse(body).options.seed),
        );
        expect(killed).toEqual(whole);
      },
    );
  });

  it('stops waiting at once when the user stops it', async () => {
    const stop = new AbortController();
    const clock = new FaultClock();
    clock.onWait = async () => stop.abort();
    const server = await served(faultyServer(SERVER_ERROR));
    const { result, records } = await runWith(testWorld(), [wayTo(server, 'default')], clock, {
      toolMode: 'json',
      signal: stop.signal,
    });
    expect(result).toMatchObject({ ending: 'paused', why: 'interrupted' });
    expect(statuses(records)).toEqual(['success', 'success', 'model_error']);
  });

  it('waits for as long as the server says, also longer than a minute', async () => {
    const clock = new FaultClock();
    const reply = { error: { status: 429, body: '{}', headers: { 'retry-after': '90' } } };
    const answer = diligentServer();
    const server = await served(
      startFakeOllama({
        models: FAULT_MODELS,
        script: (request, n) => (n === 2 ? reply : answer(request)),
      }),
    );
    const { result } = await runWith(testWorld(), [wayTo(server, 'default')], clock);
    expect(result.ending).toBe('achieved');
    expect(clock.waited).toEqual([90_000]);
  });

  it('is patient: headers after 400 s and a first token after 20 minutes are in time', async () => {
    const clock = new FaultClock();
    const answer = diligentServer();
    let release = (): void => undefined;
    const loaded = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = await served(
      startFakeOllama({
        models: FAULT_MODELS,
        script: (request, n) =>
          n === 1 ? { ...answer(request), beforeHeaders: loaded } : answer(request),
      }),
    );
    const running = runWith(testWorld(), [wayTo(server, 'default')], clock);
    await server.whenChat(1);
    clock.advance(400_000);
    clock.advance(20 * MINUTE);
    release();
    const { result, records } = await running;
    expect(result.ending).toBe('achieved');
    expect(statuses(records).every((status) => status === 'success')).toBe(true);
  });
});

describe('a run with several ways to a model', () => {
  it('leaves an expired key for the second one, says so, and never tells a key', async () => {
    const world = testWorld();
    const [locked, healthy] = [await served(lockedServer()), await served(healthyServer())];
    const secrets = ['sk-first-secret', 'sk-second-secret'];
    const { result, records, events } = await runWith(
      world,
      [wayTo(locked, 'KEY', secrets[0]), wayTo(healthy, 'KEY_2', secrets[1])],
      new FaultClock(),
    );
    expect(result.ending).toBe('achieved');
    expect(statuses(records).slice(0, 2)).toEqual(['auth_failed', 'success']);
    expect(switches(records)).toEqual(['ollama KEY', 'ollama KEY_2']);
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'model_switched',
        from: expect.objectContaining({ profile: 'KEY' }),
        to: expect.objectContaining({ profile: 'KEY_2' }),
      }),
    );
    const told = JSON.stringify([records, events]);
    for (const secret of secrets) expect(told).not.toContain(secret);
    expect(locked.chats).toHaveLength(1);
  });

  it('goes on with another model at once when the first one crashes, and stays with it', async () => {
    const world = testWorld();
    const [broken, healthy] = [
      await served(faultyServer(SERVER_ERROR)),
      await served(healthyServer()),
    ];
    const spare = wayTo(healthy, 'default');
    const other = { ...spare, provider: renamed(spare.provider, 'spare') };
    const clock = new FaultClock();
    const ways = [wayTo(broken, 'default'), other];
    const { result, records } = await runWith(world, ways, clock, { toolMode: 'json' });
    expect(result.ending).toBe('achieved');
    expect(clock.waited).toEqual([]);
    expect(switches(records)).toEqual(['ollama default', 'spare default']);
    expect(broken.chats).toHaveLength(2);
  });

  it('resumes with the model that was chosen', async () => {
    const world = testWorld();
    const stop = new AbortController();
    const [locked, healthy] = [await served(lockedServer()), await served(healthyServer())];
    const spare = wayTo(healthy, 'default');
    const other = { ...spare, provider: renamed(spare.provider, 'spare') };
    const ways = [wayTo(locked, 'default'), other];
    const onRecord: RunIn['onRecord'] = (record) => record.type === 'plan_set' && stop.abort();
    const first = await runWith(world, ways, new FaultClock(), { signal: stop.signal, onRecord });
    expect(first.result).toMatchObject({ ending: 'paused', why: 'interrupted' });
    const second = await runWith(world, ways, new FaultClock(), { goal: null });
    expect(second.result.ending).toBe('achieved');
    expect(locked.chats).toHaveLength(1);
    expect(journalOf(world).filter((one) => one.type === 'settings_changed')).toHaveLength(2);
  });

  it('moves to json mode when the next model cannot call tools, and carries the conversation over', async () => {
    const broken = await served(faultyServer(SERVER_ERROR));
    const plain = await served(
      startFakeOllama({
        models: [{ name: FAULT_MODEL, capabilities: ['completion'] }],
        script: diligentServer(),
      }),
    );
    const spare = wayTo(plain, 'default');
    const other = { ...spare, provider: renamed(spare.provider, 'spare') };
    const { result } = await runWith(
      testWorld(),
      [wayTo(broken, 'default'), other],
      new FaultClock(),
    );
    expect(result.ending).toBe('achieved');
    const settings = { provider: 'spare', driver: 'guided', mayChangeDriver: false };
    expect(result.state.settings).toMatchObject(settings);
    expect(plain.chat(0).messages.length).toBeGreaterThan(2);
    const [prompt, former] = [plain, broken].map((server) => server.chat(0).messages[0]?.content);
    expect([typeof prompt, prompt === former]).toEqual(['string', false]);
  });

  it('begins with the second one when the first is not there at all', async () => {
    const gone = await startFakeOllama();
    const dead = wayTo(gone, 'default');
    await gone.close();
    const spare = wayTo(await served(healthyServer()), 'default');
    const other = { ...spare, provider: renamed(spare.provider, 'spare') };
    const { result, records } = await runWith(testWorld(), [dead, other], new FaultClock());
    expect(result.ending).toBe('achieved');
    expect(records.find((one) => one.type === 'settings_changed')).toMatchObject({
      provider: 'spare',
      why: expect.stringContaining('network_error'),
    });
  });

  it('with one way the profile is journalled nowhere', async () => {
    const server = await served(healthyServer());
    const { records } = await runWith(testWorld(), [wayTo(server, 'KEY')], new FaultClock());
    expect(switches(records)).toEqual([]);
  });
});

it('a cancelled run stops the request on the wire, also while the model loads', async () => {
  const stop = new AbortController();
  const server = await served(
    startFakeOllama({
      models: FAULT_MODELS,
      script: () => ({ beforeHeaders: new Promise<void>(() => undefined) }),
    }),
  );
  const running = runWith(testWorld(), [wayTo(server, 'default')], new FaultClock(), {
    signal: stop.signal,
  });
  await server.whenChat(1);
  stop.abort();
  await server.whenDisconnected(1);
  expect((await running).result).toMatchObject({ ending: 'paused', why: 'interrupted' });
});
