/** Folds a message that continues a run which was about to end. Pure. */
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { withStatus } from '../../../schema/state-parts/plan-status.ts';
import { NO_SURVEY } from '../../../schema/state-parts/run-facts.ts';
import { freshSubtask } from '../initial.ts';
import { surveying } from './survey.ts';
import { withoutFailureSaid } from './withdrawn.ts';

/** Takes back decisions about the ending. */
export function reopenEnding(
  state: RunState,
  { cause, subtask = '', seq }: Located<RecordOf<'message_added'>>,
): Partial<RunState> {
  if (cause !== 'doubt' && cause !== 'permitted') return {};
  const { permissions, plan, verdict, replan } = state;
  const again = {
    finalProof: null,
    verdict: null,
    givenUp: null,
    active: freshSubtask(subtask, seq),
    plan: withStatus(plan, subtask, 'in_progress'),
    ...withoutFailureSaid(state),
    // The plan that was abandoned is the plan again.
    ...(replan === null ? {} : { replan: null, ...surveying(state, NO_SURVEY) }),
  };
  if (cause === 'doubt') {
    const doubtTold = { words: verdict?.words ?? '' };
    return { ...again, free: { ...state.free, ...again.free, doubtTold } };
  }
  return {
    ...again,
    pending: null,
    ...(permissions ? { permissions: { ...permissions, isRegained: false } } : {}),
  };
}
