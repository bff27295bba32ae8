/** Folds a change of the settings: another model, another driver, another window. */
import type { AnyDriver } from '../../schema/driver.ts';
import { unstamped } from '../../schema/journal/stamp.ts';
import type { MessageCause } from '../../schema/model/message-cause.ts';
import type { Located, RecordOf } from '../../schema/records.ts';
import type { ActiveSubtask, LastTurn, RunState } from '../../schema/state.ts';
import { NO_SURVEY } from '../../schema/state-parts/run-facts.ts';
import { waysAfterSettings } from './model/ways.ts';
import { withoutFailedTurn } from './resumed.ts';
import { withoutTry } from './work/plain-try.ts';
import { isOverflow, withoutBranch } from './work/plan.ts';
import { surveying } from './work/survey.ts';

/**
 * Stores the settings without the record's position, because they are spread into the next record of their
 * kind. A turn that failed under the earlier settings is repeated.
 */
export function foldSettings(
  state: RunState,
  record: Located<RecordOf<'settings_changed'>>,
): RunState {
  const { offset } = record;
  const settings = unstamped(record);
  // A prompt that did not fit does not fit into a smaller window either.
  const isStillTooLong = isOverflow(state) && settings.numCtx < (state.settings?.numCtx ?? 0);
  const isOther = state.settings !== null && state.settings.driver !== settings.driver;
  const isSameModel =
    state.settings?.model === settings.model && state.settings.provider === settings.provider;
  const isAsBefore = isSameModel && !isOther;
  // Each driver words the plan question in its own way.
  const isAskedAnew = isOther && !state.plan && !state.mainConversation;
  return {
    ...state,
    settings,
    settingsOffset: offset,
    ...waysAfterSettings(state, settings),
    ...(isOther ? withoutTry(state) : {}),
    conversation: isAskedAnew ? [] : state.conversation,
    ...surveying(state, isAskedAnew ? NO_SURVEY : state.free.survey),
    counters: {
      ...state.counters,
      nativeFailures: 0,
      readCalls: isAsBefore ? state.counters.readCalls : 0,
      planTries: isAskedAnew ? 0 : state.counters.planTries,
    },
    usage: { ...state.usage, floor: {} },
    ...(isOther && state.active ? withoutQuestion(withoutBranch(state)) : {}),
    lastTurn: isStillTooLong
      ? state.lastTurn
      : isAskedAnew
        ? null
        : lastTurnAfter(state, settings.driver),
    active: state.active && activeAfter(state, state.active, settings.driver),
  };
}

/** Questions that only a driver that leads its model asks. */
const QUESTIONS: ReadonlySet<MessageCause | null> = new Set<MessageCause>([
  ...(['action_question', 'content_question', 'input_question'] as const),
  ...(['repair_question', 'completion_question', 'refusal'] as const),
]);

/**
 * Without the former driver's questions: only the driver that asked a question reads its answer, as only the
 * driver that opened a branch closes it.
 */
function withoutQuestion(
  changes: Pick<RunState, 'conversation' | 'mainConversation' | 'usage'>,
): typeof changes {
  const { conversation } = changes;
  const last = conversation.findLastIndex(({ cause }) => !QUESTIONS.has(cause));
  return { ...changes, conversation: conversation.slice(0, last + 1) };
}

/**
 * What a model could not do under one driver may work under another. A failure that it reported earlier would
 * otherwise leave only the question of what to do next.
 */
const activeAfter = (
  { settings }: RunState,
  active: ActiveSubtask,
  driver: AnyDriver,
): ActiveSubtask =>
  settings !== null && settings.driver !== driver ? { ...active, reportedFailures: 0 } : active;

/** Text in place of a call counts as answered once another driver asks. */
function lastTurnAfter({ lastTurn, settings }: RunState, driver: AnyDriver): LastTurn | null {
  const isTalk = lastTurn?.purpose === 'action' && lastTurn.decoded === 'text';
  return isTalk && driver !== settings?.driver ? null : withoutFailedTurn(lastTurn);
}
