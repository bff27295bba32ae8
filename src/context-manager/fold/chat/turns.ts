// What a turn of the model changes in a conversation, and what shortens it. Pure.

import { defined } from '../../../lib/defined.ts';
import { adviceIn } from '../../../lib/errors.ts';
import type { Located, RecordOf } from '../../../schema/records.ts';
import type { Conversation, LastTurn, MessageRef, RunState } from '../../../schema/state.ts';
import type { ChatState } from '../../../schema/state-parts/chat-state.ts';
import { MOST_TRIES } from '../../compact-context.ts';
import { NO_RECOVERY } from '../initial.ts';
import { shortened, triedAgain, withSummary } from '../messages/compacted.ts';
import { lengthOf, lengthOfReply } from '../messages/text.ts';
import { usageAfter } from '../model/usage.ts';
import { waysAfterTurn } from '../model/ways.ts';
import { countersAfter } from '../work/attempts.ts';

type Turn = Located<RecordOf<'turn_finished'>>;

export const withChat = (state: Conversation, changes: Partial<ChatState>): Conversation => ({
  ...state,
  chat: { ...state.chat, ...changes },
});

export const withMessage = (state: Conversation, ref: MessageRef): Conversation => ({
  ...state,
  conversation: [...state.conversation, refOf(ref)],
});

const refOf = ({ seq, offset, role, cause, length, shows }: MessageRef): MessageRef => ({
  ...{ seq, offset, role, cause, length },
  ...(shows === undefined || shows.length === 0 ? {} : { shows }),
});

export function foldTurn(before: Conversation, record: Turn): RunState {
  const isUsed = isUsable(record);
  const state = {
    ...before,
    usage: usageAfter(before, record),
    lastTurn: lastTurnOf(record),
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
    overflowRecovery: NO_RECOVERY,
    pending:
      decoded.kind === 'calls' && decoded.calls.length > 0
        ? {
            ...{ turn: record.turn, calls: decoded.calls, next: 0 },
            ...{ areRecovered: decoded.recovered, unreportedResult: null, isHalted: false },
          }
        : null,
  };
}

/** An answer in text gives up the file; an unusable one is asked for again. */
function wantedAfter({ fileWanted }: ChatState, decoded: Turn['decoded']): ChatState['fileWanted'] {
  if (decoded.kind === 'file') return { path: decoded.path, isAsked: false };
  return decoded.kind === 'invalid' ? fileWanted : null;
}

/** From an answer that was cut off, complete calls are executed and the text is shown. */
const isUsable = ({ status, decoded, response, purpose, words }: Turn): boolean =>
  status.kind === 'success' ||
  (status.kind === 'truncated' &&
    purpose === 'action' &&
    (decoded.kind === 'calls' || lengthOf(words ?? response.content) > 0));

const isUnreadable = (turn: Turn): boolean => turn.decoded.kind === 'invalid' || isEmpty(turn);

const isEmpty = ({ decoded, response, words }: Turn): boolean => {
  if (decoded.kind === 'calls' || decoded.kind === 'file') return false;
  const text = decoded.kind === 'text' ? (words ?? response.content) : response.content;
  return lengthOf(text) === 0;
};

/** A failed summary is not requested again for this message. */
const failed = (state: Conversation, { purpose }: Turn): RunState =>
  purpose === 'summary' ? triedAgain(state, 'compactions', MOST_TRIES) : state;

function summarized(before: Conversation, record: Turn): RunState {
  const state = triedAgain(before, 'compactions');
  const { seq, offset, replaces, response } = record;
  const length = lengthOf(response.content);
  if (replaces === undefined || length === 0) return failed(state, record);
  const conversation = withSummary(state.conversation, replaces, {
    ...{ seq, offset, role: 'user', cause: 'summary', length: length + SUMMARY_FRAME },
  });
  return conversation === null ? state : shortened(state, conversation);
}

const SUMMARY_FRAME = 25;

function lastTurnOf(record: Turn): LastTurn {
  const { seq, offset, turn, purpose, status, detail, hint, decoded } = record;
  return {
    ...{ seq, offset, turn, purpose, target: null, status, detail },
    ...defined({ hint, ...adviceIn(record) }),
    decoded: decoded.kind,
    error: decoded.kind === 'invalid' ? decoded.error : '',
    ...(isEmpty(record) ? { isEmpty: true } : {}),
  };
}
