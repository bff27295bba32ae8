// What a finished action comes to; pure.

import type { ToolCall } from '../../../schema/model/messages.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { ActiveSubtask } from '../../../schema/state-parts/active-subtask.ts';
import type { StoredText } from '../../../schema/text.ts';
import { argumentText, storedArgument } from '../messages/text.ts';

export type Finished = Located<RecordOf<'action_finished'>>;

/** It ends the active subtask, or was meant to. */
export const isCompletion = ({ does }: Finished): boolean => does === 'ends_subtasks';

/** It changes files by itself: their whole content, or a piece of it. */
export const writesFile = ({ does }: Finished): boolean =>
  does === 'writes_whole_files' || does === 'edits_files';

/** Ended well, whatever a look at what it wrote has to remark. */
export const isGood = (record: Finished): boolean =>
  record.status === 'ok' && (record.facts.exitCode ?? 0) === 0;

/** Held back by the loop guard or the policy; a completion's gate counts by itself. */
export const isRefusedCall = (record: Finished): boolean =>
  record.status === 'blocked' || (record.status === 'denied' && !isCompletion(record));

/**
 * A call that is refused again, as it was before. That another one is refused is news to the model, unless
 * nothing but refusals came of the last calls.
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

/** So many different calls in a row may be refused. */
const MAX_REFUSED_CALLS = 6;

export const isJudged = (record: Finished): boolean =>
  !['blocked', 'not_run', 'denied'].includes(record.status) &&
  !isCompletion(record) &&
  !isPlan(record);

/** About the run itself: neither is work on the goal. */
const isPlan = ({ does }: Finished): boolean => does === 'sets_plan' || does === 'gives_up';

/** A call that was carried out and does not know what it changed may have changed something. */
export const mayHaveChanged = (record: Finished): boolean =>
  (record.touches === 'files' || record.touches === 'process') &&
  isJudged(record) &&
  record.facts.changed !== false;

/** Its file, folder or command; an outcome of format 1 leaves that to its call. */
export const targetOf = ({ target }: Finished, call: ToolCall | undefined): string =>
  target ?? (call ? argumentText(call.args, 'cmd') || argumentText(call.args, 'path') : '');

interface StoredClaim {
  readonly success: boolean;
  readonly reason: string;
  readonly answer: StoredText | null;
  readonly report?: StoredText;
  /** The subtasks it names. */
  readonly others?: readonly string[];
}

/** What it says of the active subtask; an outcome of format 1 leaves that to its call. */
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
    answer: storedArgument(args, 'answer'),
  };
}
