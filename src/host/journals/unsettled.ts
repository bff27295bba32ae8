/** Settling as a dry run: what the next start finds cut off. Pure. */
import type { Span } from '../../journal/record-format.ts';
import type { RunState } from '../../schema/state.ts';

export interface Unsettled {
  readonly tool: string;
  /** Of the program that it had started; `null`: none is known. */
  readonly pid: number | null;
  /** Its record is among what cannot be read, so that the state alone tells of it. */
  readonly isUnreadable: boolean;
}

export const unsettledIn = (
  state: Pick<RunState, 'intents'> | null,
  spans: readonly Span[],
): readonly Unsettled[] =>
  Object.values(state?.intents ?? {}).map(({ tool, process, offset }) => ({
    ...{ tool, pid: process?.pid ?? null },
    isUnreadable: spans.some(({ from, to }) => offset >= from && offset < to),
  }));
