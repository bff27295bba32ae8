import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';
import { withBackgroundReported } from '../calls/background.ts';
import { withChangesReported } from '../notes.ts';
import { withChildTold } from '../work/children.ts';

/** What the message told the model does not wait to be told any more. */
export const withReported = (state: RunState, record: RecordOf<'message_added'>): RunState =>
  withChangesReported(withChildTold(withBackgroundReported(state, record), record), record);
