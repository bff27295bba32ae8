// What a finished action comes to; pure.
import type { Located, RecordOf } from '../../schema/records.ts';

export type Finished = Located<RecordOf<'action_finished'>>;

/** Ended well, and the look at what it wrote found nothing wrong. */
export const isGood = (record: Finished): boolean =>
  record.status === 'ok' &&
  (record.facts.exitCode ?? 0) === 0 &&
  (record.facts.files ?? []).every((facts) => facts.problems.length === 0);

/** Held back by the loop guard or the policy; a completion's gate counts by itself. */
export const isRefusedCall = (record: Finished): boolean =>
  record.status === 'blocked' ||
  (record.status === 'denied' && record.tool !== 'mark_subtask_complete');

export const isJudged = (record: Finished): boolean =>
  !['blocked', 'not_run', 'denied'].includes(record.status) &&
  record.tool !== 'mark_subtask_complete';
