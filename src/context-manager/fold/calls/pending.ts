// The calls that were decided on, after one of them; pure.
import type { ActionStatus } from '../../../schema/actions.ts';
import { traitsOf } from '../../../schema/driver.ts';
import type { RunState } from '../../../schema/state.ts';
import { filesShownByResult } from '../files/files-shown.ts';
import { lengthOf } from '../messages/text.ts';
import { type Finished, isCompletion } from '../work/finished.ts';

type Pending = RunState['pending'];

export function pendingAfter(state: RunState, record: Finished): Pending {
  if (!state.pending) return null;
  const { pending } = state;
  const isHalted = pending.isHalted || halts(state, record);
  const { tool, status } = record;
  const { callsTools } = traitsOf(state.settings);
  return {
    ...pending,
    next: pending.next + 1,
    isHalted,
    ...(callsTools && (isHalted ? !pending.isHalted : isRefusedEnd(record))
      ? { haltedBy: { tool, status } }
      : {}),
    ...(record.does === 'sets_plan' && status === 'ok' ? { isPlanDue: true } : {}),
    unreportedResult: {
      seq: record.seq,
      offset: record.offset,
      length: lengthOf(record.result, record.parts),
      callId: record.callId,
      tool,
      ...(record.does ? { does: record.does } : {}),
      ...filesShownByResult(record),
    },
  };
}

/** The call was carried out, whatever it came to: what stands behind it may follow. */
const ENDED: ReadonlySet<string> = new Set<ActionStatus>(['ok', 'error', 'mcp_error']);

/** The end of a subtask that does not stand: the ends behind it wait for it, and nothing else does. */
const isRefusedEnd = (record: Finished): boolean =>
  isCompletion(record) && (record.status === 'denied' || record.status === 'blocked');

/** An end that waited for such a one; any other call that was not run was cut off by a crash. */
const isLeftOutEnd = (record: Finished): boolean =>
  isCompletion(record) && record.status === 'not_run';

/**
 * Where the model leads, a call that was refused changed nothing, as one that failed: what stands behind
 * it may do without it, and the model would only have to send it all again. A call that was left out
 * itself stops nothing.
 */
function halts({ settings }: RunState, record: Finished): boolean {
  const { callsTools } = traitsOf(settings);
  if (isCompletion(record) && record.status === 'ok')
    return !callsTools || record.claim?.success !== true;
  if (ENDED.has(record.status)) return false;
  const mayBeMissing = record.status === 'denied' || isRefusedEnd(record) || isLeftOutEnd(record);
  return !callsTools || !mayBeMissing;
}
