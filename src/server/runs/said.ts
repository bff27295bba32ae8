/** What a run that rests has to say, in the same words as at a terminal. */
import { textsIn } from '../../run/result.ts';
import type { RunState } from '../../schema/state.ts';
import type { StoredText } from '../../schema/text.ts';
import { notDoneBeside } from '../../steps/gate/not-done.ts';
import type { Said } from '../api/schemas.ts';
import { JournalEvents, type JournalOf } from '../streams/journal-events.ts';

/** @param of its journal, for texts that are too long for the state */
export function saidBy(state: RunState, of: Omit<JournalOf, 'isChat'>): Said {
  const textOf = (text: StoredText): string =>
    typeof text === 'string'
      ? text
      : // Where a long text is lost, its beginning.
        (new JournalEvents({ ...of, isChat: false }).textOf(text) ?? `${text.head} …`);
  const { answer, summary } = textsIn({ state, textOf });
  return {
    answer: answer || null,
    report: summary || null,
    notDone: state.ended === null ? '' : notDoneBeside(state, state.ended.detail),
  };
}
