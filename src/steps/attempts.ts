/** Decides what follows a failed attempt: a wait, another candidate, or the same request again. Pure. */
import { nameIn } from '../context-manager/fold/model/ways.ts';
import {
  decide,
  type FailoverDecision,
  isFollowed,
  LONGEST_PATIENCE_MS,
  type Ways,
} from '../llm/failover/decide.ts';
import { coolingMs } from '../llm/failover/health.ts';
import { type TurnStatus, withHint } from '../schema/model/turn.ts';
import type { RunState } from '../schema/state.ts';
import { reachedLimit } from './limits.ts';
import { settingsOf } from './select.ts';
import type { Limits, Step } from './step.ts';

interface Bounds {
  readonly limits: Limits;
  readonly elapsedMs: number;
}

/** Steps that can come between two attempts. */
export type AttemptStep = Extract<Step, { do: 'begin_wait' | 'wait' | 'switch_model' }>;

/** `again`: repeat the failed request. `null`: nothing failed, or the turn is given up. */
export function stepAfterAttempt(
  state: RunState,
  ways: Ways,
  bounds: Bounds,
): AttemptStep | 'again' | null {
  const { wait, lastTurn, settings } = state;
  if (wait !== null) return { do: 'wait' };
  if (lastTurn === null || settings === null) return null;
  const decision = decisionOn(lastTurn.status, state, ways);
  // A wait beyond the time limit would only end the run later.
  if (decision.kind !== 'ask' || isBeyond(decision.waitMs, state, bounds)) return null;
  if (decision.waitMs > 0)
    return { do: 'begin_wait', ms: Math.ceil(decision.waitMs), why: withHint(lastTurn) };
  return decision.candidate === ways.current
    ? 'again'
    : { do: 'switch_model', to: decision.candidate };
}

/** Honours a rate limit even after a pause, unless another candidate is ready. */
export function beforeAttempt(
  state: RunState,
  ways: Ways,
  bounds: Bounds,
): AttemptStep | Extract<Step, { do: 'pause' }> | null {
  const cools = coolingMs(state.ways.health, nameIn(settingsOf(state)), state.lastAt);
  if (cools === 0 || state.lastTurn !== null) return null;
  const decision = decisionOn({ kind: 'rate_limited' }, state, ways);
  // Someone who resumes the run after such a long wait wants a fresh answer from the server.
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
): FailoverDecision {
  const { transientFailures = 0, abandonedTurns = 0 } = state.counters;
  const inUse = nameIn(settingsOf(state));
  const { health, tries } = state.ways;
  return decide(
    {
      candidates: candidates.with(current, inUse),
      current,
      health,
      most,
      turn: { ...tries, transientFailures, abandonedTurns },
    },
    status,
    state.lastAt,
  );
}

const isBeyond = (ms: number, state: RunState, { limits, elapsedMs }: Bounds): boolean =>
  reachedLimit(state, limits, elapsedMs + ms) !== null;

/** The numbers of the next turn and attempt. A turn that was given up is followed by a new turn. */
export function nextAttempt({ turns, attempts, ...tried }: RunState['counters']): {
  readonly turn: number;
  readonly attempt: number;
} {
  return isFollowed(tried)
    ? { turn: turns + 2, attempt: 1 }
    : { turn: turns + 1, attempt: attempts + 1 };
}

/** True when the model in use has not answered yet, or not since turns were given up. */
export const isFirstOfModel = ({ counters, isUntried }: RunState): boolean =>
  isUntried || isFollowed(counters) || (counters.abandonedTurns ?? 0) > 0;
