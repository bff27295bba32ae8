/** Keeps the model's latest statement about its work. Pure. */
import type { ToolCall } from '../../../schema/model/messages.ts';
import type { RunState } from '../../../schema/state.ts';
import type { StateChanges } from '../files/changes.ts';
import { claimOf, type Finished, isCompletion } from './finished.ts';

/** If the model now says that a subtask cannot be done, its earlier report no longer applies. */
export function withdrawnBy(
  record: Finished,
  call: ToolCall | undefined,
): Pick<StateChanges, 'report' | 'failureSaid'> {
  const claim = isCompletion(record) && record.status === 'ok' ? claimOf(record, call) : null;
  return claim?.success === false
    ? { report: null, failureSaid: claim.report ?? claim.reason }
    : {};
}

/** Work continues, so an earlier failure is no longer the latest statement. */
export const withoutFailureSaid = ({ failureSaid }: RunState): Pick<RunState, 'failureSaid'> =>
  failureSaid == null ? {} : { failureSaid: null };
