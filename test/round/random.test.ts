/** Whatever model and programs do, a run keeps its promises. */

import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/schema/model/messages.ts';
import type { ModelRequest } from '../../src/schema/model/turn.ts';
import { subtasksOf } from '../../src/schema/plan.ts';
import { isPending } from '../../src/steps/select.ts';
import { fc } from '../support/dice.ts';
import { type RandomSetup, randomRun } from '../support/random-run.ts';
import { journalOf } from '../support/run-in.ts';

const modes = fc.constantFrom<NonNullable<RandomSetup['later']>[number]>('native', 'json', 'auto');

const setups: fc.Arbitrary<RandomSetup> = fc.record({
  mode: modes,
  later: fc.array(modes, { maxLength: 3 }),
  dice: fc.array(fc.nat(99), { minLength: 1, maxLength: 40 }),
  kills: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
  maxRounds: fc.constantFrom(3, 12, 24),
  parallel: fc.constantFrom(1, 1, 3),
  contextWindow: fc.constantFrom(1024, 2048, 8192),
  faults: fc.constantFrom(0, 20, 100, 500),
});

/** `npm run crash` tries many. */
const RUNS = Number(process.env.RANDOM_RUNS ?? 4);

/** The first request that is no extension of the one before although nothing was taken out. */
function brokenPrefix(requests: readonly ModelRequest[], changed: ReadonlySet<number>): number {
  return requests.findIndex((request, index) => {
    const before = requests[index - 1];
    if (!before || changed.has(index)) return false;
    const kept = request.messages.slice(0, before.messages.length);
    return JSON.stringify(kept) !== JSON.stringify(before.messages);
  });
}

/** Ids of calls in a conversation that do not have exactly one result, right behind them. */
function unanswered(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant' || !message.toolCalls) return [];
    const rest = messages.slice(index + 1);
    const end = rest.findIndex((one) => one.role !== 'tool');
    const results = (end < 0 ? rest : rest.slice(0, end)).map((one) =>
      one.role === 'tool' ? one.toolCallId : '',
    );
    return message.toolCalls
      .map((call) => call.id)
      .filter((id) => results.filter((result) => result === id).length !== 1);
  });
}

/** The last round that is allowed ends in a repair that mends nothing, whose files are put back. */
const PUT_BACK_AT_THE_LIMIT: RandomSetup = {
  ...{ mode: 'json', dice: [42, 3, 5, 0, 0, 1, 0, 3], kills: [8, 56] },
  ...{ maxRounds: 12, contextWindow: 2048 },
};

/** Calls on the wire whose results come when another driver asks, before the first one goes on. */
const CUT_BEFORE_A_RESULT: RandomSetup = {
  ...{ mode: 'native', later: ['json', 'native'], dice: [25], kills: [8] },
  ...{ maxRounds: 3, contextWindow: 8192 },
};

/** No handle is left when the end of the run is told with what is withheld. */
const NO_HANDLE_AT_THE_END: RandomSetup = {
  ...{ mode: 'auto', dice: [96, 0, 55, 1, 63], kills: [] },
  ...{ maxRounds: 24, contextWindow: 8192, faults: 20 },
};

/** A call on the wire ends a subtask under a driver that needs no reply, before the first one leads again. */
const ENDED_BY_ANOTHER_DRIVER: RandomSetup = {
  ...{ mode: 'native', later: ['native', 'json'], dice: [36, 8, 5], kills: [19] },
  ...{ maxRounds: 3, contextWindow: 1024, faults: 20 },
};

/** A write on the wire fails under a driver that asks for the content again, before the first one leads again. */
const REFUSED_UNDER_ANOTHER_DRIVER: RandomSetup = {
  ...{ mode: 'json', later: ['native', 'json'], dice: [95, 36, 14, 5], kills: [18] },
  ...{ maxRounds: 3, contextWindow: 1024, faults: 20 },
};

describe('a run with a model that does anything', () => {
  it('ends within its bounds, only adds to the end of its requests except where it says so, answers every call with exactly one result, and asks nothing after its end', async () => {
    await fc.assert(
      fc.asyncProperty(setups, async (setup) => {
        const { results, longest, world, provider, changedBefore } = await randomRun(setup);
        // A finish or a pause, within a number of records and rounds.
        expect(results.length).toBeGreaterThan(0);
        const atOnce = setup.parallel ?? 1;
        expect(longest).toBeLessThan((100 + setup.maxRounds * 60) * atOnce);
        const last = journalOf(world).at(-1);
        const ending = results.at(-1)?.ending;
        expect(last?.type).toBe(ending === 'paused' ? 'run_paused' : 'run_finished');
        const plan = results.at(-1)?.state.plan ?? null;
        if (ending === 'achieved' && plan !== null)
          expect(subtasksOf(plan).filter(isPending)).toEqual([]);
        for (const { state } of results)
          expect(state.counters.roundsSinceResume).toBeLessThanOrEqual(setup.maxRounds);
        // Those of several conversations come as they are asked.
        if (atOnce === 1) expect(brokenPrefix(provider.requests, changedBefore)).toBe(-1);
        for (const request of provider.requests) expect(unanswered(request.messages)).toEqual([]);
        const ended = results.filter((one) => one.ending !== 'paused');
        expect(ended.length).toBeLessThanOrEqual(1);
        expect(provider.requests.every((request) => request.messages.length > 1)).toBe(true);
      }),
      {
        numRuns: RUNS,
        examples: [
          [PUT_BACK_AT_THE_LIMIT],
          [CUT_BEFORE_A_RESULT],
          [NO_HANDLE_AT_THE_END],
          [ENDED_BY_ANOTHER_DRIVER],
          [REFUSED_UNDER_ANOTHER_DRIVER],
        ],
      },
    );
  });
});
