/**
 * Waits are steps, and how the ways to a model are doing is a fact of the journal: whichever process takes
 * the next step, the same is asked at the same time as if one had taken them all.
 */

import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/llm/failover/candidate.ts';
import { type Provider, ProviderError } from '../../src/llm/provider.ts';
import type { TurnStatus } from '../../src/schema/model/turn.ts';
import { dice, fc } from '../support/dice.ts';
import { FaultClock } from '../support/fault-clock.ts';
import { journalOf, runIn } from '../support/run-in.ts';
import { LARGE, type ScriptedReply, scriptedProvider } from '../support/scripted-provider.ts';
import { runStepwise } from '../support/stepwise.ts';
import { type TestWorld, testWorld } from '../support/test-machine.ts';

const CRASH: TurnStatus = { kind: 'model_error', retryable: true };
const LIMITED: TurnStatus = { kind: 'rate_limited', retryAfterMs: 50_000 };

type Way = readonly [model: string, profile: string];
const ONE_WAY: readonly Way[] = [['big', 'KEY_1']];
const THREE_WAYS: readonly Way[] = [...ONE_WAY, ['big', 'KEY_2'], ['small', 'KEY_1']];

/** The model fails in these ways, one after the other, and then gives its answer. */
function failing(statuses: readonly TurnStatus[], clock: FaultClock) {
  const asked: unknown[] = [];
  const provider = (profile: string): Provider => {
    const played = scriptedProvider((): ScriptedReply => {
      const fails = statuses[asked.length - 1];
      return fails === undefined ? { text: 'Hello.' } : { fails };
    }, LARGE);
    return {
      ...played,
      describe: async (model, signal) => ({ ...(await played.describe(model, signal)), model }),
      stream: (request, signal) => {
        asked.push({ profile, at: clock.monotonic(), request });
        return played.stream(request, signal);
      },
    };
  };
  return { asked, provider };
}

interface Played {
  readonly statuses: readonly TurnStatus[];
  readonly ways: readonly Way[];
  readonly works?: typeof runStepwise;
  readonly world?: TestWorld;
  readonly clock?: FaultClock;
  readonly signal?: AbortSignal;
}

async function play(setup: Played) {
  const { statuses, ways, works, world = testWorld(), clock = new FaultClock(), signal } = setup;
  const { asked, provider } = failing(statuses, clock);
  const [first, ...fallbacks] = ways.map(
    ([model, profile]): Candidate => ({ provider: provider(profile), model, profile }),
  );
  if (!first) throw new Error('There must be a way.');
  const { result, events } = await runIn(world, first.provider, {
    ...{ model: first.model, profile: first.profile, fallbacks, maxRounds: 3 },
    ...{ machine: { ...world.machine(), clock }, ...(signal ? { signal } : {}) },
    ...(works ? { works } : {}),
  });
  const told = events
    .filter(({ type }) => type === 'turn_retry' || type === 'model_switched')
    .map((event) => JSON.stringify(event));
  const { ending, detail } = result;
  const why = result.ending === 'paused' ? result.why : '';
  // Whoever takes a wait up tells of it once more.
  const once = told.filter((text, at) => text !== told[at - 1]);
  return { asked, waited: clock.waited, told: once, end: { ending, detail, why } };
}

const anyStatus = fc.constantFrom<TurnStatus>(
  CRASH,
  LIMITED,
  { kind: 'network_error', retryable: true },
  { kind: 'auth_failed' },
  { kind: 'quota_exceeded' },
  { kind: 'invalid_response' },
  { kind: 'timeout' },
  { kind: 'model_error', retryable: false },
  { kind: 'rate_limited' },
);

describe('a run whose model fails, of which every step is taken by a process of its own', () => {
  it.each([
    ['one way', ONE_WAY],
    ['three ways', THREE_WAYS],
  ])('asks the same at the same time and says the same as one process, by %s', async (_, ways) => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStatus, { maxLength: 8 }), async (statuses) => {
        const whole = await play({ statuses, ways });
        expect(await play({ statuses, ways, works: runStepwise })).toEqual(whole);
      }),
      { numRuns: dice(3, 100) },
    );
  });
});

describe('a wait', () => {
  it('stands between three attempts of two turns, each twice as long as the one before', async () => {
    for (const works of [{}, { works: runStepwise }]) {
      const statuses = Array<TurnStatus>(9).fill(CRASH);
      const { asked, waited, end } = await play({ statuses, ways: ONE_WAY, ...works });
      expect(asked).toHaveLength(6);
      expect(waited).toEqual([1000, 2000, 4000, 8000, 16_000]);
      expect(end).toMatchObject({ ending: 'paused', why: 'provider_unavailable' });
    }
  });

  it('is begun and ended by a record each, with its length and its end', async () => {
    const world = testWorld();
    await play({ statuses: [CRASH], ways: ONE_WAY, world });
    const waits = journalOf(world).filter(({ type }) => type.startsWith('wait_'));
    expect(waits).toMatchObject([
      { type: 'wait_started', ms: 1000, until: 1_700_000_001_000 },
      { type: 'wait_ended' },
    ]);
  });
});

/** A run that was cut off in the wait after its first request, and the time since then. */
async function cutOff(status: TurnStatus, isByPerson: boolean) {
  const world = testWorld();
  const clock = new FaultClock();
  const stop = new AbortController();
  const machine = world.machine();
  clock.onWait = () => {
    clock.time -= clock.waited.splice(0).reduce((sum, ms) => sum + ms, 0);
    if (isByPerson) stop.abort();
    else machine.kill();
    return Promise.reject(new Error('cut off'));
  };
  const { provider } = failing([status], clock);
  const way = { model: 'big', profile: 'KEY_1' };
  const options = { ...way, machine: { ...machine, clock }, signal: stop.signal };
  await runIn(world, provider('KEY_1'), options).catch(() => undefined);
  clock.onWait = () => Promise.resolve();
  return { world, clock };
}

describe('a run that was cut off in a wait', () => {
  it('waits for what is left of it, and says so', async () => {
    const { world, clock } = await cutOff(LIMITED, false);
    clock.time += 20_000;
    const { asked, waited, told } = await play({ statuses: [], ways: ONE_WAY, world, clock });
    expect(waited).toEqual([30_000]);
    expect(asked[0]).toMatchObject({ at: 50_000 });
    expect(told[0]).toContain('"waitMs":30000');
  });

  it('waits no longer than it was to, where the clock was set back', async () => {
    const { world, clock } = await cutOff(LIMITED, false);
    clock.time -= 3_600_000;
    const { waited } = await play({ statuses: [], ways: ONE_WAY, world, clock });
    expect(waited).toEqual([50_000]);
  });

  it('asks at once where its time is over', async () => {
    const { world, clock } = await cutOff(LIMITED, false);
    clock.time += 60_000;
    const { waited, asked } = await play({ statuses: [], ways: ONE_WAY, world, clock });
    expect(waited).toEqual([]);
    expect(asked).not.toEqual([]);
  });
});

describe('a run that a person resumes after an interrupt in a wait', () => {
  it('leaves a key alone for as long as its server asked', async () => {
    const { world, clock } = await cutOff(LIMITED, true);
    clock.time += 20_000;
    const { waited } = await play({ statuses: [], ways: ONE_WAY, world, clock });
    expect(waited).toEqual([30_000]);
  });

  it('asks another key that is ready at once', async () => {
    const { world, clock } = await cutOff(LIMITED, true);
    const { waited, asked } = await play({ statuses: [], ways: THREE_WAYS, world, clock });
    expect(waited).toEqual([]);
    expect(asked[0]).toMatchObject({ profile: 'KEY_2' });
  });

  it('asks at once where nobody asked to be left alone', async () => {
    const { world, clock } = await cutOff(CRASH, true);
    const { waited, asked } = await play({ statuses: [], ways: ONE_WAY, world, clock });
    expect(waited).toEqual([]);
    expect(asked).not.toEqual([]);
  });
});

describe('a further model that cannot even be described', () => {
  it.each([
    ['one process', {}],
    ['a process for each step', { works: runStepwise }],
  ])('is looked at once, and another one asked, by %s', async (_, works) => {
    const world = testWorld();
    const clock = new FaultClock();
    const { asked, provider } = failing([{ kind: 'auth_failed' }], clock);
    let looks = 0;
    const gone: Provider = {
      ...provider('KEY_1'),
      name: 'gone',
      describe: async () => {
        looks += 1;
        throw new ProviderError({ kind: 'auth_failed' }, 'no such key', '');
      },
    };
    const { result } = await runIn(world, provider('KEY_1'), {
      ...{ model: 'big', profile: 'KEY_1', maxRounds: 1, machine: { ...world.machine(), clock } },
      fallbacks: [
        { provider: gone, model: 'other', profile: 'KEY_1' },
        { provider: provider('KEY_2'), model: 'small', profile: 'KEY_2' },
      ],
      ...works,
    });
    expect(looks).toBe(1);
    expect(asked[1]).toMatchObject({ profile: 'KEY_2', request: { model: 'small' } });
    expect(result.state.settings).toMatchObject({ model: 'small' });
    const failed = journalOf(world).filter(({ type }) => type === 'candidate_failed');
    expect(failed).toMatchObject([{ provider: 'gone', model: 'other', profile: 'KEY_1' }]);
  });
});
