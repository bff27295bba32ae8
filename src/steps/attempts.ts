/** What follows on an attempt that failed: a wait, another way to a model, the same once more. Pure. */
import { nameIn } from '../context-manager/fold/model/ways.ts';
import { type Decision, decide, isFollowed, LONGEST_PATIENCE_MS } from '../llm/failover/decide.ts';
import { coolingMs } from '../llm/failover/health.ts';
import type { CandidateName } from '../schema/events/events.ts';
import { type TurnStatus, withHint } from '../schema/model/turn.ts';
import type { RunState } from '../schema/state.ts';
import { reachedLimit } from './limits.ts';
import { settingsOf } from './select.ts';
import type { Limits, Step } from './step.ts';

/** How a model may be asked. */
export interface Ways {
  /** In order of preference. */
  readonly candidates: readonly CandidateName[];
  /** The place of the one in use. */
  readonly current: number;
  /** Attempts of a turn, where somebody says how many. */
  readonly most?: number | undefined;
}

interface Bounds {
  readonly limits: Limits;
  readonly elapsedMs: number;
}

/** What may stand between two attempts. */
export type AttemptStep = Extract<Step, { do: 'begin_wait' | 'wait' | 'switch_model' }>;

/** `again`: what failed is asked once more. `null`: nothing failed, or it is given up. */
export function afterAttempt(
  state: RunState,
  ways: Ways,
  bounds: Bounds,
): AttemptStep | 'again' | null {
  const { wait, lastTurn, settings } = state;
  if (wait !== null) return { do: 'wait' };
  if (lastTurn === null || settings === null) return null;
  const decision = decisionOn(lastTurn.status, state, ways);
  // Waiting beyond the time there is would only end the run later.
  if (decision.kind !== 'ask' || isBeyond(decision.waitMs, state, bounds)) return null;
  if (decision.waitMs > 0)
    return { do: 'begin_wait', ms: Math.ceil(decision.waitMs), why: withHint(lastTurn) };
  return decision.candidate === ways.current
    ? 'again'
    : { do: 'switch_model', to: decision.candidate };
}

/** A server that asked to be left alone is, also after a pause; another way that is ready is taken instead. */
export function beforeAttempt(
  state: RunState,
  ways: Ways,
  bounds: Bounds,
): AttemptStep | Extract<Step, { do: 'pause' }> | null {
  const cools = coolingMs(state.ways.health, nameIn(settingsOf(state)), state.lastAt);
  if (cools === 0 || state.lastTurn !== null) return null;
  const decision = decisionOn({ kind: 'rate_limited' }, state, ways);
  // Whoever goes on with the run all the same wants to know what it says now.
  if (decision.kind !== 'ask' || decision.waitMs > LONGEST_PATIENCE_MS) return null;
  if (decision.waitMs === 0) return { do: 'switch_model', to: decision.candidate };
  const { limits, elapsedMs } = bounds;
  return (
    reachedLimit(state, limits, elapsedMs + decision.waitMs) ?? {
      do: 'begin_wait',
      ms: Math.ceil(decision.waitMs),
      why: LEFT_ALONE,
    }
  );
}

export const LEFT_ALONE = 'The server asked to be left alone until then.';

function decisionOn(
  status: TurnStatus,
  state: RunState,
  { candidates, current, most }: Ways,
): Decision {
  const { passing = 0, givenUp = 0 } = state.counters;
  const inUse = nameIn(settingsOf(state));
  const { health, tries } = state.ways;
  return decide(
    {
      candidates: candidates.with(current, inUse),
      current,
      health,
      most,
      turn: { ...tries, passing, givenUp },
    },
    status,
    state.lastAt,
  );
}

const isBeyond = (ms: number, state: RunState, { limits, elapsedMs }: Bounds): boolean =>
  reachedLimit(state, limits, elapsedMs + ms) !== null;

/** The number of the next attempt, and of its turn: one that was given up is followed by another. */
export function nextAttempt({ turns, attempts, ...tried }: RunState['counters']): {
  readonly turn: number;
  readonly attempt: number;
} {
  return isFollowed(tried)
    ? { turn: turns + 2, attempt: 1 }
    : { turn: turns + 1, attempt: attempts + 1 };
}

/** Nothing was heard of it yet: neither of the model in use, nor since turns were given up. */
export const isFirstOfModel = ({ counters, isUntried }: RunState): boolean =>
  isUntried || isFollowed(counters) || (counters.givenUp ?? 0) > 0;
