// What a turn of the model changes in a conversation, and what shortens it. Pure.

import type { Located, RecordOf } from '../../../schema/records.ts';
import type { ConversationState, MessageRef, RunState } from '../../../schema/state.ts';
import type { ChatState } from '../../../schema/state-parts/chat-state.ts';
import { MAX_TRIES } from '../../compact-context.ts';
import { NO_RECOVERY } from '../initial.ts';
import { triedAgain, withShorterConversation, withSummary } from '../messages/compacted.ts';
import { lengthOf, lengthOfReply } from '../messages/text.ts';
import { usageAfter } from '../model/usage.ts';
import { waysAfterTurn } from '../model/ways.ts';
import { countersAfter, lastTurnOf } from '../work/attempts.ts';

type Turn = Located<RecordOf<'turn_finished'>>;

export const withChat = (
  state: ConversationState,
  changes: Partial<ChatState>,
): ConversationState => ({
  ...state,
  chat: { ...state.chat, ...changes },
});

export const withMessage = (state: ConversationState, ref: MessageRef): ConversationState => ({
  ...state,
  conversation: [...state.conversation, refOf(ref)],
});

const refOf = ({ seq, offset, role, cause, length, shows }: MessageRef): MessageRef => ({
  seq,
  offset,
  role,
  cause,
  length,
  ...(shows === undefined || shows.length === 0 ? {} : { shows }),
});

export function foldChatTurn(before: ConversationState, record: Turn): RunState {
  const isUsed = isUsable(record);
  const state = {
    ...before,
    usage: usageAfter(before, record),
    lastTurn: { ...lastTurnOf(record), ...(isEmpty(record) ? { isEmpty: true as const } : {}) },
    counters: countersAfter(before.counters, record, isUsed),
    // A failed summary is not requested again, so nothing follows from it.
    ...(record.purpose === 'summary' ? {} : waysAfterTurn(before, record, isUsed)),
  };
  if (!isUsed) return failed(state, record);
  const { chat } = before;
  const counted = withChat(state, { invalid: isUnreadable(record) ? chat.invalid + 1 : 0 });
  if (record.purpose === 'summary') return summarized(counted, record);
  const length = lengthOfReply(record.response);
  // No server accepts an empty reply in the next request.
  const answered = isEmpty(record)
    ? counted
    : withMessage(counted, { ...record, role: 'assistant', cause: null, length });
  const { open } = chat;
  const { decoded } = record;
  return {
    ...withChat(answered, {
      open: open && { ...open, iterations: open.iterations + 1 },
      fileWanted: wantedAfter(chat, decoded),
    }),
    overflowRecovery: recoveryAfterAnswer(before),
    pending:
      decoded.kind === 'calls' && decoded.calls.length > 0
        ? {
            turn: record.turn,
            calls: decoded.calls,
            next: 0,
            areRecovered: decoded.recovered,
            unreportedResult: null,
            isHalted: false,
          }
        : null,
  };
}

/** An answer in text gives up the file; an unusable one is asked for again. */
function wantedAfter({ fileWanted }: ChatState, decoded: Turn['decoded']): ChatState['fileWanted'] {
  if (decoded.kind === 'file') return { path: decoded.path, isAsked: false };
  return decoded.kind === 'invalid' ? fileWanted : null;
}

/** From an answer that was cut off, complete calls are executed and the text is used. */
const isUsable = ({ status, decoded, response, purpose, words }: Turn): boolean =>
  status.kind === 'success' ||
  (status.kind === 'truncated' &&
    (purpose === 'action' || purpose === 'summary') &&
    (decoded.kind === 'calls' || lengthOf(words ?? response.content) > 0));

const isUnreadable = (turn: Turn): boolean => turn.decoded.kind === 'invalid' || isEmpty(turn);

const isEmpty = ({ decoded, response, words }: Turn): boolean => {
  if (decoded.kind === 'calls' || decoded.kind === 'file') return false;
  const text = decoded.kind === 'text' ? (words ?? response.content) : response.content;
  return lengthOf(text) === 0;
};

/**
 * A failed summary is requested again for the same message only once, and only if nothing else makes the
 * prompt fit.
 */
function failed(before: ConversationState, { purpose }: Turn): RunState {
  if (purpose !== 'summary') return before;
  const state = triedAgain(before, 'compactions', MAX_TRIES);
  const { overflowRecovery: tried } = state;
  const failedSummaries = (tried.failedSummaries ?? 0) + 1;
  return { ...state, overflowRecovery: { ...tried, failedSummaries } };
}

/** Failed summaries still count: the conversation is as long as before. */
function recoveryAfterAnswer({ overflowRecovery: { failedSummaries = 0 } }: ConversationState) {
  if (failedSummaries === 0) return NO_RECOVERY;
  return { ...NO_RECOVERY, compactions: Math.min(failedSummaries, MAX_TRIES), failedSummaries };
}

function summarized(before: ConversationState, record: Turn): RunState {
  const state = triedAgain(before, 'compactions');
  const { seq, offset, replaces, response, words } = record;
  const length = lengthOf(response.content);
  if (replaces === undefined || length === 0 || words === '') return failed(state, record);
  const conversation = withSummary(state.conversation, replaces, {
    seq,
    offset,
    role: 'user',
    cause: 'summary',
    length: length + SUMMARY_FRAME,
  });
  if (conversation === null) return state;
  const { failedSummaries: _had, ...overflowRecovery } = state.overflowRecovery;
  return withShorterConversation({ ...state, overflowRecovery }, conversation);
}

const SUMMARY_FRAME = 25;
