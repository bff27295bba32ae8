// Classifies a finished action. Pure.

import type { ToolCall } from '../../../schema/model/messages.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { ActiveSubtask, SubtaskClaim } from '../../../schema/state-parts/active-subtask.ts';
import { argumentText, storedText } from '../messages/text.ts';

export type Finished = Located<RecordOf<'action_finished'>>;

/** True when the call ends the active subtask, or was meant to. */
export const isCompletion = ({ does }: Finished): boolean => does === 'ends_subtasks';

/** True when the call itself changes files: whole contents or parts. */
export const writesFile = ({ does }: Finished): boolean =>
  does === 'writes_whole_files' || does === 'edits_files';

/** True when it succeeded, whatever problems a look at the written files found. */
export const isGood = (record: Finished): boolean =>
  record.status === 'ok' && (record.facts.exitCode ?? 0) === 0;

/** True when the loop detector or the policy refused it. The completion gate counts separately. */
export const isRefusedCall = (record: Finished): boolean =>
  record.status === 'blocked' || (record.status === 'denied' && !isCompletion(record));

/**
 * True when a refused call repeats an earlier refused call. A different refused call is news to the model,
 * unless the last calls were all refused.
 */
export function isInsistedOn(
  active: ActiveSubtask | null,
  record: Finished,
  target: string,
): boolean {
  if (!isRefusedCall(record)) return false;
  if (record.status === 'blocked') return true;
  const { actions = [] } = active ?? {};
  const wasRefused = ({ status }: Action): boolean => status === 'denied' || status === 'blocked';
  const isSame = (one: Action): boolean => one.tool === record.tool && one.target === target;
  return (
    actions.some((one) => wasRefused(one) && isSame(one)) ||
    (actions.length >= MAX_REFUSED_CALLS && actions.slice(-MAX_REFUSED_CALLS).every(wasRefused))
  );
}

type Action = ActiveSubtask['actions'][number];

/** How many different calls in a row may be refused. */
const MAX_REFUSED_CALLS = 6;

export const isJudged = (record: Finished): boolean =>
  !['blocked', 'not_run', 'denied'].includes(record.status) &&
  !isCompletion(record) &&
  !isPlan(record);

/** True for calls about the run itself, which are not work on the goal. */
const isPlan = ({ does }: Finished): boolean => does === 'sets_plan' || does === 'gives_up';

/**
 * A call that was executed and does not know what it changed may have changed something. A command that never
 * started cannot.
 */
export const mayHaveChanged = (record: Finished): boolean =>
  (record.touches === 'files' || record.touches === 'process') &&
  isJudged(record) &&
  record.facts.changed !== false &&
  record.facts.notStarted !== true;

/** The call's file, folder or command. With an outcome of format 1 it comes from the call. */
export const finishedTarget = ({ target }: Finished, call: ToolCall | undefined): string =>
  target ?? (call ? argumentText(call.args, 'cmd') || argumentText(call.args, 'path') : '');

type StoredClaim = Pick<SubtaskClaim, 'success' | 'reason' | 'answer' | 'report' | 'others'>;

/** What the call claims about the active subtask. With an outcome of format 1 it comes from the call. */
export function claimOf(
  { claim, target }: Finished,
  call: ToolCall | undefined,
): StoredClaim | null {
  if (claim)
    return {
      success: claim.success,
      reason: claim.reason ?? '',
      answer: claim.answer || null,
      ...(claim.summary ? { report: claim.summary } : {}),
      ...(claim.ids?.length ? { others: claim.ids } : {}),
    };
  if (target !== null || !call) return null;
  const { args } = call;
  return {
    success: args.success === true,
    reason: argumentText(args, 'reason'),
    answer: storedText(args.answer) || null,
  };
}
