import { describe, expect, it } from 'vitest';
import {
  attempted,
  decide,
  type FailoverDecision,
  type FailoverState,
  isSpent,
  LONGEST_PATIENCE_MS,
  LONGEST_PAUSE_MS,
  MAX_ATTEMPTS,
  MAX_TURNS,
  NOTHING_TRIED,
} from '../../../src/llm/failover/decide.ts';
import { coolingMs, isCandidateSkipped } from '../../../src/llm/failover/health.ts';
import type { CandidateName } from '../../../src/schema/events/events.ts';
import type { TurnStatus } from '../../../src/schema/model/turn.ts';
import { fc } from '../../support/dice.ts';

const CRASH: TurnStatus = { kind: 'model_error', retryable: true };
const DOWN: TurnStatus = { kind: 'network_error', retryable: true };
const EXPIRED: TurnStatus = { kind: 'auth_failed' };
const SUCCESS: TurnStatus = { kind: 'success' };
const MALFORMED: TurnStatus = { kind: 'invalid_response' };

const candidate = (provider: string, model: string, profile = 'default'): CandidateName => ({
  provider,
  model,
  profile,
});

const BIG = candidate('cloud', 'big', 'KEY');
const BIG_2 = candidate('cloud', 'big', 'KEY_2');
const SMALL = candidate('cloud', 'small', 'KEY');
const LOCAL = candidate('ollama', 'local');

const startFailover = (
  candidates: readonly CandidateName[],
  current: number,
  most?: number,
): FailoverState =>
  startTurn({
    ...{ candidates, current, most },
    health: {},
    turn: { ...NOTHING_TRIED, transientFailures: 0, abandonedTurns: 0 },
  });

/** After a crash one more attempt is always granted. */
const startTurn = (
  state: FailoverState,
  { attempts = 0, transientFailures = 0, abandonedTurns = 0 }: Partial<FailoverState['turn']> = {
    attempts: 0,
  },
): FailoverState => ({
  ...state,
  turn: {
    ...NOTHING_TRIED,
    attempts: Math.min(attempts, MAX_ATTEMPTS - 1),
    transientFailures: Math.min(transientFailures, MAX_ATTEMPTS - 1),
    abandonedTurns,
  },
});

interface Played {
  /** Who was asked, by index, and after how long a wait. */
  readonly asked: readonly (readonly [index: number, waitMs: number])[];
  readonly end: FailoverDecision['kind'] | 'given_up';
  readonly state: FailoverState;
}

/** One turn: every attempt ends with the next of `statuses`, the last one for ever. */
function play(start: FailoverState, statuses: readonly TurnStatus[], startedAt = 0): Played {
  let state = start;
  let now = startedAt;
  const asked: [number, number][] = [[state.current, 0]];
  for (;;) {
    const status = statuses[asked.length - 1] ?? statuses.at(-1)!;
    state = attempted(state, status, now);
    const decision = decide(state, status, now);
    if (decision.kind !== 'ask') return { asked, end: decision.kind, state };
    if (decision.isNewTurn) return { asked, end: 'given_up', state };
    now += decision.waitMs;
    state = { ...state, current: decision.candidate };
    asked.push([decision.candidate, decision.waitMs]);
  }
}

const oneTurn = (candidates: readonly CandidateName[], ...statuses: TurnStatus[]) =>
  play(startFailover(candidates, 0), statuses);

describe('with one candidate a turn', () => {
  it.each<TurnStatus>([CRASH, DOWN, { kind: 'rate_limited' }])(
    'is asked three times at most after %j, waiting longer each time',
    (status) => {
      const { asked, end } = oneTurn([LOCAL], status);
      expect(asked).toEqual([
        [0, 0],
        [0, 1000],
        [0, 2000],
      ]);
      expect(end).toBe('given_up');
    },
  );

  it.each<TurnStatus>([CRASH, DOWN, { kind: 'rate_limited' }])(
    'is asked the same in one more turn after three times %j, for half a minute in all',
    (status) => {
      const first = oneTurn([LOCAL], status);
      expect(decide(first.state, status, 3000)).toEqual({
        kind: 'ask',
        candidate: 0,
        waitMs: 4000,
        isNewTurn: true,
      });
      const second = play(
        startTurn(first.state, { attempts: 0, abandonedTurns: 1 }),
        [status],
        7000,
      );
      expect(second.asked).toEqual([
        [0, 0],
        [0, 8000],
        [0, 16_000],
      ]);
      expect(second.end).toBe('give_up');
    },
  );

  it.each<TurnStatus>([{ kind: 'timeout' }, MALFORMED])(
    'is not asked in one more turn where an attempt ended in %j',
    (status) => {
      expect(oneTurn([LOCAL], status, DOWN).end).toBe('give_up');
    },
  );

  it('is not waited for between two turns where the server asks for minutes', () => {
    const patient: TurnStatus = { kind: 'rate_limited', retryAfterMs: LONGEST_PAUSE_MS + 1 };
    expect(oneTurn([LOCAL], DOWN, DOWN, patient).end).toBe('give_up');
  });

  it('is asked once more, at once, after a malformed answer', () => {
    expect(oneTurn([LOCAL], MALFORMED).asked).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('is asked once more after a time-out', () => {
    expect(oneTurn([LOCAL], { kind: 'timeout' }).asked).toEqual([
      [0, 0],
      [0, 1000],
    ]);
  });

  it('waits as long as the server asks, also longer than a minute', () => {
    const limited: TurnStatus = { kind: 'rate_limited', retryAfterMs: 90_000 };
    expect(oneTurn([LOCAL], limited, SUCCESS)).toMatchObject({
      asked: [
        [0, 0],
        [0, 90_000],
      ],
      end: 'final',
    });
  });

  it('is given up when a server asks for hours', () => {
    const limited: TurnStatus = { kind: 'rate_limited', retryAfterMs: LONGEST_PATIENCE_MS + 1 };
    expect(oneTurn([LOCAL], limited)).toMatchObject({ asked: [[0, 0]], end: 'give_up' });
  });

  it.each<TurnStatus>([
    EXPIRED,
    { kind: 'quota_exceeded' },
    { kind: 'model_error', retryable: false },
    { kind: 'network_error', retryable: false },
  ])('is given up at once after %j', (status) => {
    expect(oneTurn([LOCAL], status)).toMatchObject({ asked: [[0, 0]], end: 'give_up' });
  });

  it('has one more attempt after a crash, however many there were before', () => {
    const state = startTurn(startFailover([LOCAL], 0), { attempts: 7 });
    expect(play(state, [DOWN]).asked).toHaveLength(1);
  });
});

describe('with several candidates', () => {
  it('an expired key is left for the next one of the same model, at once', () => {
    const { asked, state } = oneTurn([BIG, BIG_2, LOCAL], EXPIRED, SUCCESS);
    expect(asked).toEqual([
      [0, 0],
      [1, 0],
    ]);
    expect(isCandidateSkipped(state.health, BIG)).toBe(true);
  });

  it('a provider is left when none of its keys is good any more', () => {
    const { asked } = oneTurn([BIG, SMALL, BIG_2, LOCAL], EXPIRED, EXPIRED, SUCCESS);
    expect(asked.map(([index]) => index)).toEqual([0, 2, 3]);
  });

  it('keys that are no good do not use up the attempts', () => {
    const keys = [1, 2, 3, 4, 5].map((n) => candidate('cloud', 'big', `KEY_${n}`));
    const { asked, end } = oneTurn(keys, EXPIRED, EXPIRED, EXPIRED, EXPIRED, SUCCESS);
    expect(asked.map(([index]) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(end).toBe('final');
  });

  it('a limited key takes all its models with it, a crashed model only itself', () => {
    const limited: TurnStatus = { kind: 'rate_limited' };
    expect(oneTurn([BIG, SMALL, BIG_2], limited, SUCCESS).asked[1]).toEqual([2, 0]);
    expect(oneTurn([BIG, SMALL, BIG_2], CRASH, SUCCESS).asked[1]).toEqual([1, 0]);
  });

  it('when all are cooling, the one that is ready first is waited for', () => {
    const limited: TurnStatus = { kind: 'rate_limited', retryAfterMs: 5000 };
    expect(oneTurn([BIG, LOCAL], limited, DOWN, SUCCESS).asked).toEqual([
      [0, 0],
      [1, 0],
      [1, 1000],
    ]);
  });

  it('a success ends the cooling, and the next failure starts at 1 s again', () => {
    const first = oneTurn([LOCAL], DOWN, DOWN, SUCCESS);
    expect(first.asked.at(-1)).toEqual([0, 2000]);
    expect(play(startTurn(first.state), [DOWN, SUCCESS], 60_000).asked[1]).toEqual([0, 1000]);
  });

  it('the one in use stays, though a better one has recovered', () => {
    const first = oneTurn([BIG, LOCAL], DOWN, SUCCESS);
    const later = play(startTurn(first.state), [MALFORMED, SUCCESS], 3_600_000);
    expect(later.asked.map(([index]) => index)).toEqual([1, 1]);
  });
});

const anyStatus: fc.Arbitrary<TurnStatus> = fc.oneof(
  fc.constantFrom<TurnStatus>(
    CRASH,
    DOWN,
    EXPIRED,
    SUCCESS,
    MALFORMED,
    { kind: 'timeout' },
    { kind: 'quota_exceeded' },
    { kind: 'rate_limited' },
    { kind: 'model_error', retryable: false },
    { kind: 'network_error', retryable: false },
    { kind: 'context_overflow' },
    { kind: 'refused' },
  ),
  fc
    .integer({ min: 0, max: 2 * LONGEST_PATIENCE_MS })
    .map((retryAfterMs): TurnStatus => ({ kind: 'rate_limited', retryAfterMs })),
);

const anyCandidates = fc.uniqueArray(
  fc.tuple(
    fc.constantFrom('cloud', 'ollama'),
    fc.constantFrom('big', 'small'),
    fc.constantFrom('KEY', 'KEY_2', 'KEY_3'),
  ),
  { minLength: 1, maxLength: 6, selector: String },
);

const anyHistory = fc.array(
  fc.record({ status: anyStatus, passes: fc.integer({ min: 0, max: 200_000 }) }),
  { maxLength: 20 },
);

/** Any state a run can come to: attempts of any candidate, time between them, new turns. */
const anyState = fc
  .tuple(anyCandidates, anyHistory, fc.infiniteStream(fc.nat({ max: 5 })))
  .map(([parts, history, picks]) => {
    const names = parts.map(([provider, model, profile]) => candidate(provider, model, profile));
    let state = startFailover(names, 0);
    let now = 0;
    for (const { status, passes } of history) {
      const current = (picks.next().value ?? 0) % names.length;
      state = attempted({ ...state, current }, status, now);
      if (status.kind === 'success') state = startTurn(state);
      now += passes;
    }
    return { state, now };
  });

describe('whatever happened before', () => {
  it('nobody is asked who is skipped, spent, or cooling while another is ready', () => {
    fc.assert(
      fc.property(anyState, anyStatus, ({ state: before, now }, status) => {
        const state = attempted(before, status, now);
        const decision = decide(state, status, now);
        if (decision.kind !== 'ask') return;
        const chosen = state.candidates[decision.candidate]!;
        expect(isCandidateSkipped(state.health, chosen)).toBe(false);
        expect(isSpent(state, chosen)).toBe(false);
        const cooling = state.candidates.flatMap((one) =>
          isCandidateSkipped(state.health, one) || isSpent(state, one)
            ? []
            : [coolingMs(state.health, one, now)],
        );
        expect(decision.waitMs).toBe(coolingMs(state.health, chosen, now));
        expect(decision.waitMs, 'exactly until the first is ready').toBe(Math.min(...cooling));
        expect(decision.waitMs).toBeLessThanOrEqual(LONGEST_PATIENCE_MS);
      }),
    );
  });

  it('a turn ends: three attempts, and one more for each that could not be used at all', () => {
    fc.assert(
      fc.property(anyState, fc.array(anyStatus, { minLength: 1 }), ({ state, now }, statuses) => {
        const { asked } = play(startTurn(state), statuses, now);
        expect(asked.length).toBeLessThanOrEqual(MAX_ATTEMPTS + state.candidates.length);
      }),
    );
  });

  it('it is given up only when the attempts are used up, nobody is left, or the wait is too long', () => {
    fc.assert(
      fc.property(anyState, anyStatus, ({ state: before, now }, status) => {
        const state = attempted(before, status, now);
        if (decide(state, status, now).kind !== 'give_up') return;
        const waits = state.candidates.flatMap((one) =>
          isCandidateSkipped(state.health, one) || isSpent(state, one)
            ? []
            : [coolingMs(state.health, one, now)],
        );
        const isTooLong = waits.every((wait) => wait > LONGEST_PATIENCE_MS);
        expect(state.turn.attempts >= MAX_ATTEMPTS || isTooLong).toBe(true);
      }),
    );
  });

  it('turns end: as many as may follow each other, each given up for what may pass', () => {
    fc.assert(
      fc.property(anyState, fc.array(anyStatus, { minLength: 1 }), ({ state, now }, statuses) => {
        let turns = 1;
        let played = play(startTurn(state), statuses, now);
        for (; played.end === 'given_up'; turns += 1) {
          expect(played.state.turn.transientFailures).toBeGreaterThanOrEqual(MAX_ATTEMPTS);
          const next = startTurn(played.state, { attempts: 0, abandonedTurns: turns });
          played = play(next, statuses, now);
        }
        expect(turns).toBeLessThanOrEqual(MAX_TURNS);
      }),
    );
  });
});
