/** Folds the records of a run that is taken up again, by another process or by a person after a pause. */
import { defined } from '../../lib/defined.ts';
import { limitsIn } from '../../schema/journal/limits.ts';
import type { Located, RecordOf } from '../../schema/records.ts';
import type { LastTurn, RunState } from '../../schema/state.ts';
import { workedInAll } from '../../schema/state-parts/worked.ts';
import { waysAfterPause } from './model/ways.ts';
import { withoutAttempts } from './work/attempts.ts';
import { withChildrenResumed } from './work/children.ts';
import { isOverflow } from './work/plan.ts';
import { surveying } from './work/survey.ts';

/** Another process continues the run; nothing else changes. */
export const foldLease = (
  state: RunState,
  { token, host, worker, wants, keep, withTests }: RecordOf<'lease_taken'>,
): RunState => ({
  ...state,
  ...defined({ wants, keep, withTests }),
  lease: { token, host, ...defined({ worker }) },
  wait: state.wait && { ...state.wait, isTakenUp: true },
});

/**
 * A person resumed the run after a pause: limits and patience start again. The limits of a child do not, since
 * its parent sets them.
 */
export function foldResumed(before: RunState, { limits }: RecordOf<'run_resumed'>): RunState {
  const state = withChildrenResumed(before);
  // Earlier builds also wrote this after a crash, when the pending request must stay the next one.
  const wasPaused = state.paused !== null || state.ended !== null;
  const { areTrialsSkipped: _over, ...rest } = state;
  const { active, counters } = state;
  const isChild = state.child !== undefined;
  return {
    ...rest,
    paused: null,
    ended: null,
    limits: limitsIn(limits),
    wait: wasPaused ? null : state.wait,
    ways: wasPaused ? waysAfterPause(state) : state.ways,
    // Someone may have changed the files that the verdict was based on.
    verdict: wasPaused ? null : state.verdict,
    ...(isChild ? {} : { workedMs: 0, workedBefore: workedInAll(state) }),
    counters: {
      ...(wasPaused ? withoutAttempts(counters) : counters),
      ...(isChild ? {} : { roundsSinceResume: 0 }),
    },
    lastTurn: isOverflow(state) && !wasPaused ? state.lastTurn : withoutFailedTurn(state.lastTurn),
    overflowRecovery: wasPaused
      ? { ...state.overflowRecovery, ...NOTHING_TRIED }
      : state.overflowRecovery,
    ...(wasPaused ? surveying(state, { ...state.free.survey, texts: 0, invalidReplies: 0 }) : {}),
    active: active && wasPaused ? { ...active, nudges: 0, invalidReplies: 0, blocks: 0 } : active,
  };
}

const NOTHING_TRIED = { compactions: 0, cuts: 0 };

export const withoutFailedTurn = (turn: LastTurn | null): LastTurn | null =>
  turn?.status.kind === 'success' || turn?.status.kind === 'truncated' ? turn : null;

/** The first records of a process that takes up the run; the time before them is not working time. */
const BEGINNINGS: ReadonlySet<string> = new Set([
  ...['lease_taken', 'run_resumed', 'format_raised'],
  ...['swap_started', 'file_swapped', 'swap_finished'],
]);
/**
 * True for records that begin this process's work. Withholding comes after that work, whose time must count:
 * it may have reached the limit.
 */
const begins = (record: Located): boolean =>
  BEGINNINGS.has(record.type) && !(record.type === 'swap_started' && record.to === 'before');

/** Milliseconds of work up to the record. The clock may have been set back. */
export const workedUntil = (
  record: Located,
  { workedMs, lastAt }: Pick<RunState, 'workedMs' | 'lastAt'>,
): number => (begins(record) ? workedMs : workedMs + Math.max(0, record.ts - lastAt));
