// The pending calls after one of them has finished. Pure.
import type { ActionStatus } from '../../../schema/actions.ts';
import { traitsOf } from '../../../schema/driver.ts';
import type { RunState } from '../../../schema/state.ts';
import { filesShownByResult } from '../files/files-shown.ts';
import { lengthOf } from '../messages/text.ts';
import { type Finished, isCompletion } from '../work/finished.ts';

export function pendingAfter(state: RunState, record: Finished): RunState['pending'] {
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

/** Statuses of calls that were executed, whatever the result: the following calls may run. */
const ENDED: ReadonlySet<string> = new Set<ActionStatus>(['ok', 'error', 'mcp_error']);

/** A refused end of a subtask: later ends must wait for it, other calls need not. */
const isRefusedEnd = (record: Finished): boolean =>
  isCompletion(record) && (record.status === 'denied' || record.status === 'blocked');

/** An end that waited for a refused one. Any other call with this status was cut off by a crash. */
const isLeftOutEnd = (record: Finished): boolean =>
  isCompletion(record) && record.status === 'not_run';

/**
 * True when the following calls must not run. Under a free driver, a refused call changed nothing, just like a
 * failed one: later calls may not depend on it, and the model would only have to send them again. A call that
 * was skipped itself stops nothing.
 */
function halts({ settings }: RunState, record: Finished): boolean {
  const { callsTools } = traitsOf(settings);
  if (isCompletion(record) && record.status === 'ok')
    return !callsTools || record.claim?.success !== true;
  if (ENDED.has(record.status)) return false;
  const mayBeMissing = record.status === 'denied' || isRefusedEnd(record) || isLeftOutEnd(record);
  return !callsTools || !mayBeMissing;
}
