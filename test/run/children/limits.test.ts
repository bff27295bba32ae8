import { describe, expect, it } from 'vitest';
import type { Provider } from '../../../src/llm/provider.ts';
import { shareOf } from '../../../src/run/children/request.ts';
import type { ModelEvent, ModelRequest } from '../../../src/schema/model/turn.ts';
import { NO_USAGE } from '../../../src/schema/model/turn.ts';
import { allTokens } from '../../../src/schema/model/usage.ts';
import { turnsIn } from '../../../src/schema/state-parts/children.ts';
import { runIn } from '../../support/run-in.ts';
import { bareState } from '../../support/run-state.ts';
import { LARGE, scriptedProvider } from '../../support/scripted-provider.ts';
import { ALL, bySubtask, filesOf, GOAL } from '../../support/side-by-side.ts';
import { testWorld } from '../../support/test-machine.ts';

const EACH = { ...NO_USAGE, input: 80, output: 20 };

/** Each of its turns uses 100 tokens. */
function counting() {
  const inner = scriptedProvider(bySubtask(), LARGE);
  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> {
    for await (const event of inner.stream(request, signal))
      yield event.type === 'finished' ? { ...event, usage: EACH } : event;
  }
  const provider: Provider = { ...inner, stream };
  return { provider, requests: inner.requests };
}

describe('the limits of a run whose subtasks are runs', () => {
  it.each([
    ['tokens', { maxTokens: 500 }, { maxTokens: 5000 }, 'limit_tokens'],
    ['rounds', { maxRounds: 4 }, { maxRounds: 40 }, 'limit_rounds'],
  ])(
    'bound the %s of all together, and raised ones let it go on',
    async (_what, few, enough, why) => {
      const world = testWorld();
      const { provider, requests } = counting();
      const first = await runIn(world, provider, { goal: GOAL, parallel: 2, ...few });
      expect(first.result).toMatchObject({ ending: 'paused', why });
      const { usage } = first.result.state;
      // What each used is known by then, and none goes over its share by more than a turn.
      expect(allTokens(usage.total)).toBe(100 * requests.length);
      expect(turnsIn(first.result.state)).toBe(requests.length);
      expect(requests.length).toBeLessThanOrEqual(9);
      const { result } = await runIn(world, provider, { goal: GOAL, parallel: 2, ...enough });
      expect(result.ending).toBe('achieved');
      expect(allTokens(result.state.usage.total)).toBe(100 * requests.length);
      expect(requests).toHaveLength(9);
      expect(filesOf(world)).toEqual(ALL);
    },
  );

  it('are what each may use on top of what it has used, and what one leaves over goes to the others', () => {
    const { usage, counters, settings } = bareState('free');
    const state = {
      settings,
      counters: { ...counters, roundsSinceResume: 10 },
      usage: {
        ...usage,
        total: { ...NO_USAGE, input: 400 },
        cost: { usd: 1, unknownTurns: 0 },
      },
    };
    const limits = { maxRounds: 30, maxTokens: 1000, maxCost: 3, maxTimeMs: 60_000 };
    const used = { turns: 0, rounds: 0, workedMs: 0, usage: NO_USAGE };
    const at = (open: number) => ({ open, elapsedMs: 20_000 });
    expect(shareOf(state, limits, { used, roundsBefore: 0 }, at(4))).toEqual({
      ...{ maxRounds: 5, maxTokens: 150, maxCost: 0.5, maxTimeMs: 40_000 },
    });
    const some = { ...used, rounds: 5, workedMs: 7000, usage: { ...NO_USAGE, input: 150 } };
    const paid = { ...some, cost: { usd: 0.5, unknownTurns: 0 } };
    expect(shareOf(state, limits, { used: paid, roundsBefore: 0 }, at(2))).toEqual({
      ...{ maxRounds: 15, maxTokens: 450, maxCost: 1.5, maxTimeMs: 47_000 },
    });
  });

  it('of rounds are those of any run for each where nobody says how many, anew once a person goes on', () => {
    const used = { turns: 30, rounds: 24, workedMs: 0, usage: NO_USAGE };
    const share = (roundsBefore: number) =>
      shareOf(bareState('free'), {}, { used, roundsBefore }, { open: 2, elapsedMs: 0 });
    const { maxRounds = 0 } = share(0);
    expect(maxRounds).toBeGreaterThan(0);
    expect(share(24)).toEqual({ maxRounds: 24 + maxRounds });
  });
});
