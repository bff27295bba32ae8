/** The newest word of a model on its work; pure. */
import type { ToolCall } from '../../../schema/model/messages.ts';
import type { RunState } from '../../../schema/state.ts';
import type { Changes } from '../files/changes.ts';
import { claimOf, type Finished, isCompletion } from './finished.ts';

/** That a subtask cannot be done is the newest word: what was reported before is withdrawn by it. */
export function withdrawnBy(
  record: Finished,
  call: ToolCall | undefined,
): Pick<Changes, 'report' | 'failureSaid'> {
  const claim = isCompletion(record) && record.status === 'ok' ? claimOf(record, call) : null;
  return claim?.success === false
    ? { report: null, failureSaid: claim.report ?? claim.reason }
    : {};
}

/** Work goes on, so that something could not be done is not the newest word any more. */
export const withoutFailure = ({ failureSaid }: RunState): Pick<RunState, 'failureSaid'> =>
  failureSaid == null ? {} : { failureSaid: null };
