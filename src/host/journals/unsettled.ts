/** Pure: a dry run of settling: the interrupted calls that the next start will find. */
import type { UnreadableSpan } from '../../journal/record-format.ts';
import type { RunState } from '../../schema/state.ts';

export interface Unsettled {
  readonly tool: string;
  /** The process that it had started; `null`: unknown. */
  readonly pid: number | null;
  /** The call's record is in the unreadable part, so only the state knows of the call. */
  readonly isUnreadable: boolean;
}

export const unsettledIn = (
  state: Pick<RunState, 'intents'> | null,
  spans: readonly UnreadableSpan[],
): readonly Unsettled[] =>
  Object.values(state?.intents ?? {}).map(({ tool, process, offset }) => ({
    tool,
    pid: process?.pid ?? null,
    isUnreadable: spans.some(({ from, to }) => offset >= from && offset < to),
  }));
