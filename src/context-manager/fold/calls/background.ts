/** Folds which background programs run, and which ends the model does not know of yet. */
import { NO_BACKGROUND } from '../../../schema/journal/background.ts';
import type { RecordOf } from '../../../schema/records.ts';
import type { RunState } from '../../../schema/state.ts';

type Started = RecordOf<'background_started'>;
type Ended = RecordOf<'background_ended'>;

const MAX_UNREPORTED = 8;

export function foldBackground(state: RunState, record: Started | Ended): RunState {
  const before = state.background ?? NO_BACKGROUND;
  const { id } = record;
  const { [id]: one, ...others } = before.running;
  if (record.type === 'background_started') {
    const { cmd, pid, startTime, place } = record;
    const running = { ...others, [id]: { cmd, pid, startTime, place } };
    return { ...state, background: { ...before, count: before.count + 1, running } };
  }
  const { how } = record;
  // The model knows the ends that it caused, asked for or will find.
  const isKnown = how === 'exited' || how === 'stopped' || one === undefined;
  const unreported = isKnown
    ? before.unreported
    : [...before.unreported, { id, cmd: one.cmd, how }];
  return {
    ...state,
    background: { ...before, running: others, unreported: unreported.slice(-MAX_UNREPORTED) },
  };
}

/** The message that reports the ends was added. */
export function withBackgroundReported(
  state: RunState,
  { cause }: RecordOf<'message_added'>,
): RunState {
  const { background } = state;
  if (
    cause !== 'background_ended' ||
    background === undefined ||
    background.unreported.length === 0
  )
    return state;
  return { ...state, background: { ...background, unreported: [] } };
}
