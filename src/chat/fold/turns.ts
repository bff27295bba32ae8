// What a turn of the model brings, and what shortens the conversation; pure.
import { lengthOf, lengthOfReply } from '../../context-manager/fold/text.ts';
import { addUsage } from '../../context-manager/fold/usage.ts';
import { adviceIn } from '../../lib/errors.ts';
import type { ChatRecordOf, LocatedChat } from '../../schema/chat-records.ts';
import type { ChatState } from '../../schema/chat-state.ts';
import type { CutMessage } from '../../schema/record-parts.ts';
import type { MessageRef } from '../../schema/state.ts';
import { mayPass } from '../../schema/turn.ts';

type Turn = LocatedChat<ChatRecordOf<'turn_finished'>>;

/** One more message at the end of the conversation. */
export const said = (state: ChatState, ref: MessageRef): ChatState => ({
  ...state,
  conversation: [...state.conversation, refOf(ref)],
});

const refOf = ({ seq, offset, role, cause, length, shows }: MessageRef): MessageRef => ({
  ...{ seq, offset, role, cause, length },
  ...(shows === undefined || shows.length === 0 ? {} : { shows }),
});

export function foldTurn(before: ChatState, record: Turn): ChatState {
  const state = { ...before, usage: usageAfter(before, record), lastTurn: lastTurnOf(record) };
  if (!isUsable(record)) return failed(state, record);
  const counters = {
    ...state.counters,
    ...{ turns: state.counters.turns + 1, attempts: 0, passing: 0, givenUp: 0 },
    invalid: isUnreadable(record) ? state.counters.invalid + 1 : 0,
  };
  if (record.purpose === 'summary') return summarized({ ...state, counters }, record);
  const length = lengthOfReply(record.response);
  // No server takes a reply of nothing back.
  const answered = isEmpty(record)
    ? state
    : said(state, { ...record, role: 'assistant', cause: null, length });
  const { open } = state;
  const { decoded } = record;
  return {
    ...answered,
    counters,
    open: open && { ...open, iterations: open.iterations + 1 },
    shortened: { summaries: 0, cuts: 0 },
    pending:
      decoded.kind === 'calls' && decoded.calls.length > 0
        ? {
            turn: record.turn,
            calls: decoded.calls,
            next: 0,
            isFruitful: false,
            areRecovered: decoded.recovered,
          }
        : null,
    fileWanted: wantedAfter(state, decoded),
  };
}

/** An answer in words gives the file up; one that cannot be used is asked for again. */
function wantedAfter({ fileWanted }: ChatState, decoded: Turn['decoded']): ChatState['fileWanted'] {
  if (decoded.kind === 'file') return { path: decoded.path, isAsked: false };
  return decoded.kind === 'invalid' ? fileWanted : null;
}

/** Of an answer that was cut off whole calls are carried out, and its words are shown. */
const isUsable = ({ status, decoded, response, purpose, words }: Turn): boolean =>
  status.kind === 'success' ||
  (status.kind === 'truncated' &&
    purpose === 'action' &&
    (decoded.kind === 'calls' || lengthOf(words ?? response.content) > 0));

const isUnreadable = (turn: Turn): boolean => turn.decoded.kind === 'invalid' || isEmpty(turn);

const isEmpty = ({ decoded, response, words }: Turn): boolean => {
  if (decoded.kind === 'calls' || decoded.kind === 'file') return false;
  const said = decoded.kind === 'text' ? (words ?? response.content) : response.content;
  return lengthOf(said) === 0;
};

function failed(state: ChatState, { status, attempt, purpose }: Turn): ChatState {
  const { counters, shortened } = state;
  const passing = counters.passing + (mayPass(status) ? 1 : 0);
  return {
    ...state,
    counters: { ...counters, attempts: Math.max(counters.attempts, attempt), passing },
    // A summary that could not be had is not asked for again for this message.
    shortened:
      purpose === 'summary' ? { ...shortened, summaries: shortened.summaries + 1 } : shortened,
  };
}

function summarized(state: ChatState, record: Turn): ChatState {
  const shortened = { ...state.shortened, summaries: state.shortened.summaries + 1 };
  const { replaces, response } = record;
  if (replaces === undefined || lengthOf(response.content) === 0) return { ...state, shortened };
  const { fromSeq, toSeq } = replaces;
  const length = lengthOf(response.content) + SUMMARY_FRAME;
  const ref: MessageRef = { ...record, role: 'user', cause: 'summary', length };
  const kept = state.conversation.filter(({ seq }) => seq < fromSeq || seq > toSeq);
  return { ...state, shortened, conversation: [refOf(ref), ...kept] };
}

const SUMMARY_FRAME = 25;

export function foldCut(
  state: ChatState,
  { offset, cut }: LocatedChat<ChatRecordOf<'shortened'>>,
): ChatState {
  const cuts = new Map<number, CutMessage>(cut.map((one) => [one.seq, one]));
  return {
    ...state,
    lastTurn: null,
    shortened: { ...state.shortened, cuts: state.shortened.cuts + 1 },
    conversation: state.conversation.map((ref) => {
      const one = cuts.get(ref.seq);
      if (one === undefined) return ref;
      // What it shows of a file is not the whole file any more.
      const { shows: _shows, ...rest } = ref;
      return { ...rest, offset, length: lengthOf(one.text) };
    }),
  };
}

function lastTurnOf(record: Turn): NonNullable<ChatState['lastTurn']> {
  const { seq, purpose, status, detail, hint, decoded } = record;
  return {
    ...{ seq, purpose, status, detail },
    ...(hint === undefined ? {} : { hint }),
    ...adviceIn(record),
    decoded: decoded.kind,
    error: decoded.kind === 'invalid' ? decoded.error : '',
    isEmpty: isEmpty(record),
  };
}

function usageAfter(state: ChatState, record: Turn): ChatState['usage'] {
  const { usage, conversation } = state;
  const total = addUsage(usage.total, record.usage);
  const { cost } = record;
  const { usd, unknownTurns } = usage.cost ?? { usd: 0, unknownTurns: 0 };
  const costs =
    cost === undefined
      ? {}
      : cost === null
        ? { cost: { usd, unknownTurns: unknownTurns + 1 } }
        : { cost: { usd: usd + cost, unknownTurns } };
  // What a summary was asked with is not the conversation.
  if (record.purpose === 'summary') return { ...usage, total, ...costs };
  const lastChars = conversation.reduce((sum, { length }) => sum + length, 0);
  return { ...usage, total, last: record.usage, lastChars, ...costs };
}
