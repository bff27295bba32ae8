/** Limits of tokens, cost and time, by whole runs of a scripted model that says what it used. */
import { describe, expect, it } from 'vitest';
import { TardigradeError } from '../../src/lib/errors.ts';
import type { Provider } from '../../src/llm/provider.ts';
import type { ModelEvent, ModelRequest, Usage } from '../../src/schema/model/turn.ts';
import { limitStep, raisedCost, raisedTokens } from '../../src/steps/limits.ts';
import type { Step } from '../../src/steps/step.ts';
import { diligentModel, type PlannedWork } from '../support/models.ts';
import { journalOf, type RunIn, runIn as runOf, UNSTATED } from '../support/run-in.ts';
import { bareState, turn } from '../support/run-state.ts';
import {
  type Script,
  type ScriptedProvider,
  scriptedProvider,
} from '../support/scripted-provider.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const HELLO: PlannedWork = {
  subtasks: [{ action: 'write_file', file: 'hello.mjs', purpose: 'prints hello' }],
  verify: { cmd: 'node hello.mjs', prints: 'hello' },
  files: { 'hello.mjs': ['console.log("hello");\n'] },
};

const EACH: Usage = {
  input: 60,
  output: 20,
  thinking: 5,
  cacheRead: 10,
  cacheWrite: 5,
  modelMs: 7,
};

interface Priced {
  readonly name?: string;
  readonly usage?: Usage;
  /** Called before each request leaves. */
  readonly onRequest?: () => void;
}

/** The same model, on a backend that counts; what it used is told even when it fails. */
function counting(
  inner: ScriptedProvider,
  { name, usage = EACH, onRequest }: Priced = {},
): Provider {
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    onRequest?.();
    yield { type: 'usage', usage };
    for await (const event of inner.stream(request, signal))
      yield event.type === 'finished' ? { ...event, usage } : event;
  }
  return { ...inner, ...(name === undefined ? {} : { name }), stream };
}

const described = (provider: Provider, model: string): Provider => ({
  ...provider,
  describe: async (_, signal) => ({ ...(await provider.describe(model, signal)), model }),
});

/** How the goal is read is none of the requests that are counted here. */
const runIn = (world: TestWorld, provider: Provider, options: RunIn = {}) =>
  runOf(world, provider, { goal: UNSTATED, ...options });

const hello = () => scriptedProvider(diligentModel(HELLO));

describe('a limit that is reached', () => {
  const ask = { do: 'ask' } as Step;
  const pause = { do: 'pause', why: 'stalled', detail: '' } as Step;
  const late = { kind: 'timeout' } as const;
  it.each([
    ['takes the place of a question', ask, null, true],
    ['takes the place of a pause behind a request that may be repeated', pause, late, true],
    ['leaves a pause behind an answer as it is', pause, { kind: 'success' } as const, false],
    ['leaves a pause before any request as it is', pause, null, false],
    [
      'leaves a call as it is, whatever the last request was',
      { do: 'act' } as unknown as Step,
      late,
      false,
    ],
  ])('%s', (_what, step, status, isPaused) => {
    const lastTurn = status && turn({ status } as Parameters<typeof turn>[0]);
    const at = (elapsedMs: number) =>
      limitStep(step, bareState('free', { lastTurn }), { maxTimeMs: 10 }, elapsedMs);
    expect(at(10)?.why).toBe(isPaused ? 'limit_time' : undefined);
    expect(at(9)).toBeNull();
  });
});

describe('a limit of tokens', () => {
  it('counts every class, and pauses before the request that would follow', async () => {
    const inner = hello();
    const { result } = await runIn(testWorld(), counting(inner), { maxTokens: 100 });
    expect(result).toMatchObject({
      ending: 'paused',
      why: 'limit_tokens',
      detail: '100 tokens used, limit 100',
      option: 'maxTokens',
      optionValue: '200',
    });
    expect(inner.requests).toHaveLength(1);
    expect(result.state.usage.total).toEqual(EACH);
    expect(result.state.usage.last).toEqual(EACH);
  });

  it('holds for the whole run, and once raised the run goes on as if it had never been', async () => {
    const whole = hello();
    const unlimited = await runIn(testWorld(), counting(whole));
    const world = testWorld();
    const parts = hello();
    const provider = counting(parts);
    await runIn(world, provider, { maxTokens: 100 });
    const again = await runIn(world, provider, { maxTokens: 100 });
    expect(again.result).toMatchObject({ ending: 'paused', why: 'limit_tokens' });
    expect(parts.requests).toHaveLength(1);
    const last = await runIn(world, provider, { maxTokens: 10_000 });
    expect(last.result.ending).toBe(unlimited.result.ending);
    expect(parts.requests).toEqual(whole.requests);
    expect(last.result.state.usage.total).toEqual(unlimited.result.state.usage.total);
  });

  it('counts an attempt that failed, and does not repeat it beyond the limit', async () => {
    const model = diligentModel(HELLO);
    const script: Script = (request, n) =>
      n === 1 ? { fails: { kind: 'model_error', retryable: true } } : model(request, n);
    const inner = scriptedProvider(script);
    const { result } = await runIn(testWorld(), counting(inner), { maxTokens: 100 });
    expect(result).toMatchObject({ ending: 'paused', why: 'limit_tokens' });
    expect(inner.requests).toHaveLength(1);
    expect(result.state.usage.total).toEqual(EACH);
  });

  it('stands in the journal of a resumed run', async () => {
    const world = testWorld();
    const provider = counting(hello());
    await runIn(world, provider, { maxTokens: 100 });
    await runIn(world, provider, { maxTokens: 5000, maxTimeMs: 9000 });
    const resumed = journalOf(world).find((one) => one.type === 'run_resumed');
    expect(resumed).toMatchObject({ limits: { maxTokens: 5000, maxTimeMs: 9000 } });
  });
});

describe('a limit of time', () => {
  it('pauses before the next request, and counts anew once a person goes on', async () => {
    const world = testWorld();
    const inner = hello();
    let now = 0;
    const clock = { ...world.machine().clock, monotonic: () => now, now: () => now };
    const provider = counting(inner, {
      onRequest: () => {
        now += 40_000;
      },
    });
    const run = () =>
      runIn(world, provider, { maxTimeMs: 60_000, machine: machineWith(world, clock) });
    const first = await run();
    expect(first.result).toMatchObject({
      ending: 'paused',
      why: 'limit_time',
      detail: '80 s used, limit 60 s',
      option: 'maxTimeMs',
      optionValue: '60000',
    });
    expect(inner.requests).toHaveLength(2);
    await run();
    expect(inner.requests.length).toBeGreaterThan(2);
  });
});

const machineWith = (
  world: ReturnType<typeof testWorld>,
  clock: ReturnType<ReturnType<typeof testWorld>['machine']>['clock'],
) => ({ ...world.machine(), clock });

describe('cost', () => {
  const HAIKU = 'claude-haiku-4-5';
  // 60 in at $1, 25 out at $5, 10 read at $0.10, 5 written at $1.25, each by the million.
  const A_TURN = 192.25 / 1_000_000;
  const haiku = (inner = hello()) => described(counting(inner, { name: 'anthropic' }), HAIKU);

  it('adds up by what each turn says, and pauses at its limit', async () => {
    const world = testWorld();
    const more = { action: 'write_file', file: 'more.mjs', purpose: 'is more' };
    const two = scriptedProvider(diligentModel({ ...HELLO, subtasks: [...HELLO.subtasks, more] }));
    const { result } = await runIn(world, haiku(two), { model: HAIKU, maxCost: 0.0003 });
    expect(result).toMatchObject({
      ending: 'paused',
      why: 'limit_cost',
      detail: '$0.0004 used, limit $0.0003',
      option: 'maxCost',
      optionValue: '0.01',
    });
    expect(result.state.usage.cost?.usd).toBeCloseTo(A_TURN * 2, 9);
    const costs = journalOf(world).flatMap((one) =>
      one.type === 'turn_finished' ? [one.cost] : [],
    );
    expect(costs).toEqual([0.00019225, 0.00019225]);
  });

  it('is the price of whoever answered, also after a switch, and the same after a resume', async () => {
    const world = testWorld();
    const failing = scriptedProvider(() => ({ fails: { kind: 'quota_exceeded' } }));
    const fallback = described(counting(hello(), { name: 'openai' }), 'gpt-5-mini');
    const { result } = await runIn(world, haiku(failing), {
      model: HAIKU,
      fallbacks: [{ provider: fallback, model: 'gpt-5-mini', profile: 'default' }],
    });
    const turns = journalOf(world).filter((one) => one.type === 'turn_finished');
    // 60 and 5 in at $0.25, 25 out at $2, 10 read at $0.025.
    const mini = 66.5 / 1_000_000;
    expect(turns.map((one) => one.cost)).toEqual([
      0.00019225,
      ...turns.slice(1).map(() => 0.0000665),
    ]);
    expect(result.state.usage.cost?.usd).toBeCloseTo(A_TURN + mini * (turns.length - 1), 9);
  });

  it('is left out where nothing costs, and not called nothing where no price is known', async () => {
    const local = await runIn(testWorld(), counting(hello(), { name: 'ollama' }));
    expect(local.result.state.usage).not.toHaveProperty('cost');
    const world = testWorld();
    const strange = await runIn(world, counting(hello(), { name: 'openai' }));
    const turns = strange.result.state.counters.turns;
    expect(strange.result.state.usage.cost).toEqual({ usd: 0, unknownTurns: turns });
  });

  it('cannot be limited without a price: refused before anything is done', async () => {
    const world = testWorld();
    const inner = hello();
    const run = runIn(world, counting(inner, { name: 'openrouter' }), { maxCost: 1 });
    await expect(run).rejects.toThrow(TardigradeError);
    await expect(run).rejects.toThrow('no price is known for openrouter scripted:1b');
    expect(inner.requests).toEqual([]);
    const local = await runIn(world, counting(inner, { name: 'ollama' }), { maxCost: 1 });
    expect(local.result.ending).not.toBe('paused');
  });
});

it.each([
  [200, 200, 400],
  [12_345, 10_000, 23_000],
  [1, 1, 2],
  [999_999, 1, 1_000_000],
])('%i tokens used of %i: go on with %i', (used, limit, raised) => {
  expect(raisedTokens(used, limit)).toBe(raised);
});

it('a limit of cost is raised by as much again, in whole cents', () => {
  expect(raisedCost(1.023, 1)).toBe('2.03');
});
