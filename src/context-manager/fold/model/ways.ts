/** The health of the candidates, what the current turn has tried, and what the run waits for. */
import { DEFAULT_PROFILE } from '../../../llm/failover/candidate.ts';
import { attempted, NOTHING_TRIED } from '../../../llm/failover/decide.ts';
import {
  afterPause,
  calledAnew,
  healthAfterAttempt,
  readyUntil,
  withoutModel,
} from '../../../llm/failover/health.ts';
import type { CandidateName } from '../../../schema/events/events.ts';
import { isTransient, type TurnStatus } from '../../../schema/model/turn.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunSettings, RunState } from '../../../schema/state.ts';
import type { StateChanges } from '../files/changes.ts';

type Ways = RunState['ways'];

export const NOTHING_FAILED: Pick<RunState, 'ways' | 'wait' | 'isUntried'> = {
  ways: { health: {}, tries: NOTHING_TRIED },
  wait: null,
  isUntried: false,
};

/** The candidate's name in `health`. A run with a single candidate journals no profile. */
export const nameIn = ({ provider, model, profile }: RunSettings): CandidateName => ({
  provider,
  model,
  profile: profile ?? DEFAULT_PROFILE,
});

export function waysAfterTurn(
  state: RunState,
  { turn, status, ts }: Located<RecordOf<'turn_finished'>>,
  isConcluded: boolean,
): StateChanges {
  const { settings, counters, ways } = state;
  if (settings === null) return {};
  const name = nameIn(settings);
  if (isConcluded) {
    const health = healthAfterAttempt(ways.health, name, status, ts);
    return { ways: { health, tries: NOTHING_TRIED }, isUntried: false };
  }
  // The turn before was given up.
  const isNext = counters.attempts > 0 && turn > counters.turns + 1;
  const before = isNext ? { ...ways, tries: NOTHING_TRIED } : ways;
  return { ways: triedBy(before, { name, status, at: ts }) };
}

interface Attempt {
  readonly name: CandidateName;
  readonly status: TurnStatus;
  /** Milliseconds since 1970. */
  readonly at: number;
}

function triedBy({ health, tries }: Ways, { name, status, at }: Attempt): Ways {
  const turn = { ...tries, transientFailures: 0, abandonedTurns: 0 };
  const after = attempted({ candidates: [name], current: 0, health, turn }, status, at);
  const { attempts, asked, spent } = after.turn;
  return { health: after.health, tries: { attempts, asked, spent } };
}

/** Counts like an attempt, so that trying candidates ends, too. */
export function foldCandidateFailed(
  state: RunState,
  { provider, model, profile, status, ts }: Located<RecordOf<'candidate_failed'>>,
): RunState {
  const { transientFailures = 0, ...counters } = state.counters;
  const isCounted = counters.attempts > 0 && isTransient(status);
  const passed = transientFailures + (isCounted ? 1 : 0);
  const name = { provider, model, profile };
  return {
    ...state,
    ways: triedBy(state.ways, { name, status, at: ts }),
    counters: { ...counters, ...(passed > 0 ? { transientFailures: passed } : {}) },
  };
}

export function foldWait(
  state: RunState,
  record: RecordOf<'wait_started'> | RecordOf<'wait_ended'>,
): RunState {
  if (record.type === 'wait_started') {
    const { ms, until, why } = record;
    const { lastTurn } = state;
    return {
      ...state,
      wait: { ms, until, why },
      lastTurn: lastTurn && { ...lastTurn, isTold: true },
    };
  }
  const { wait, ways } = state;
  const health = wait === null ? ways.health : readyUntil(ways.health, wait.until);
  return { ...state, wait: null, ways: { ...ways, health } };
}

/** Other settings mean another model, to which knowledge about the earlier one does not apply. */
export function waysAfterSettings(
  { settings: before, ways, isUntried }: RunState,
  after: RunSettings,
): Pick<RunState, 'ways' | 'isUntried'> {
  if (before === null) return { ways, isUntried };
  const [was, is] = [nameIn(before), nameIn(after)];
  const isOtherModel = was.provider !== is.provider || was.model !== is.model;
  const isNamed = before.profile !== undefined || after.profile === undefined;
  if (isOtherModel || (isNamed && was.profile !== is.profile)) return { ways, isUntried: true };
  const health = calledAnew(ways.health, was, is);
  const isSameSize = before.numCtx === after.numCtx;
  return {
    ways: { ...ways, health: isSameSize ? health : withoutModel(health, is) },
    isUntried,
  };
}

export const waysAfterPause = ({ ways }: RunState): Ways => ({
  health: afterPause(ways.health),
  tries: NOTHING_TRIED,
});
