/** Pure: what comes next in a conversation, decided by its state alone. */

import { lastShorteningOf, shorteningOf } from '../../context-manager/compact-context.ts';
import { notRunFor } from '../../prompts/remarks.ts';
import { DEFAULT_MAX_ITERATIONS } from '../../schema/config.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import type { MessageEnding } from '../../schema/records.ts';
import type { ConversationState, LastTurn, MessageRef } from '../../schema/state.ts';
import type { OpenMessage } from '../../schema/state-parts/chat-state.ts';
import { NO_MORE_TOOLS } from './prompt.ts';

export type ChatStep =
  | { readonly do: 'call'; readonly call: ToolCall }
  /** The call is not carried out, but gets a result. */
  | { readonly do: 'skip'; readonly call: ToolCall; readonly why: string }
  | { readonly do: 'ask' }
  /** A call named a file: its content is asked for. */
  | { readonly do: 'ask_content'; readonly path: string }
  /** The answer is unreadable: the model is told why. */
  | { readonly do: 'show_back'; readonly text: string }
  | { readonly do: 'compact' }
  | {
      readonly do: 'end';
      readonly ending: MessageEnding;
      readonly detail: string;
      readonly hint?: string;
    };

/** Consecutive unreadable answers. */
const MAX_INVALID = 3;
/** Calls of one message that the loop guard refused. */
const MAX_BLOCKED = 4;
const LOOP: ChatStep = {
  do: 'end',
  ending: 'limit',
  detail: 'The model made the same calls again and again.',
  hint: 'Say what it should do instead.',
};

/** `null`: no message is open. */
export function nextChatStep(state: ConversationState): ChatStep | null {
  const limits = limitsOf(state);
  const { pending, lastTurn, conversation } = state;
  const { open, fileWanted } = state.chat;
  if (open === null) return null;
  if (pending !== null) return callStep(state, limits);
  if (open.blocked >= MAX_BLOCKED) return LOOP;
  if (fileWanted?.isAsked === false && !isFinalTurn(state))
    return { do: 'ask_content', path: fileWanted.path };
  // Nothing was said since the turn.
  const turn = (conversation.at(-1)?.seq ?? 0) <= (lastTurn?.seq ?? 0) ? lastTurn : null;
  if (turn?.purpose === 'action' && isAnswer(turn) && turn.decoded !== 'file')
    return answeredStep(state, turn);
  if (turn !== null && hasFailed(turn)) {
    const isOver = turn.status.kind === 'context_overflow';
    const isMore = isOver && (isTooLong(state) || lastShorteningOf(state, true) !== null);
    if (isMore) return { do: 'compact' };
    if (turn.purpose === 'action') return failedStep(turn);
  }
  if (turnsTaken(open, limits) >= limits.iterations) return limitStep(limits.iterations);
  if (isTooLong(state)) return { do: 'compact' };
  return isFinalTurn(state) && mayStillCall(state)
    ? { do: 'show_back', text: NO_MORE_TOOLS }
    : { do: 'ask' };
}

const isTooLong = (state: ConversationState): boolean => shorteningOf(state, true) !== null;

const turnsTaken = (
  { iterations, idle }: Pick<OpenMessage, 'iterations' | 'idle'>,
  { freeIdle }: Pick<ChatLimits, 'freeIdle'>,
): number => iterations - Math.min(idle, freeIdle);

/** Whether the next turn is the last one of the message and must end in an answer. */
export function isFinalTurn(state: Pick<ConversationState, 'chat'>): boolean {
  const limits = limitsOf(state);
  const { open } = state.chat;
  return limits.closes && open !== null && turnsTaken(open, limits) >= limits.iterations - 1;
}

/** True if the model has tools, and was not told that they are gone. */
function mayStillCall({ settings, conversation, chat }: ConversationState): boolean {
  const last = conversation.at(-1);
  const isTold = isAside(last) && last.seq > (chat.open?.seq ?? 0);
  return settings?.tools !== '[]' && !isTold;
}

const isAside = (ref: MessageRef | undefined): ref is MessageRef =>
  ref?.cause === 'aside' || ref?.cause === 'content_question';

function callStep(state: ConversationState, limits: ChatLimits): ChatStep | null {
  const { callsPerReply, calls } = limits;
  const { pending } = state;
  const { open } = state.chat;
  const call = pending?.calls[pending.next];
  if (!pending || !open || !call) return null;
  const skip = (why: string): ChatStep => ({ do: 'skip', call, why });
  if (limits.closes && turnsTaken(open, limits) >= limits.iterations)
    return skip('Not run: the last turn had no tools.');
  if (callsPerReply !== null && pending.next >= callsPerReply)
    return skip(`Not run: limit of ${callsPerReply} calls a reply.`);
  if (calls !== null && open.calls >= calls)
    return skip(`Not run: limit of ${calls} calls a message. Answer with what you have.`);
  return pending.haltedBy === undefined ? { do: 'call', call } : skip(notRunFor(pending.haltedBy));
}

/** The turn has words, or succeeded without any. */
const isAnswer = ({ status, isEmpty }: LastTurn): boolean =>
  status.kind === 'success' || (status.kind === 'truncated' && !isEmpty);

const hasFailed = ({ status }: LastTurn): boolean => status.kind !== 'success';

function answeredStep(state: ConversationState, turn: LastTurn): ChatStep {
  if (turn.status.kind === 'truncated') return { do: 'end', ending: 'limit', detail: turn.detail };
  if (turn.decoded === 'invalid' || turn.isEmpty) {
    const why = turn.isEmpty
      ? 'Your answer was empty. Answer in words, or call a tool.'
      : turn.error;
    return state.chat.invalid >= MAX_INVALID
      ? { do: 'end', ending: 'failed', detail: `The model's answers could not be read: ${why}` }
      : {
          do: 'show_back',
          text: isFinalTurn(state) ? `${why}\n${NO_MORE_TOOLS}` : why,
        };
  }
  return { do: 'end', ending: 'replied', detail: '' };
}

function failedStep({ status, detail, hint }: LastTurn): ChatStep {
  const ending = status.kind === 'refused' ? 'refused' : 'failed';
  return { do: 'end', ending, detail, ...(hint === undefined ? {} : { hint }) };
}

const limitStep = (iterations: number): ChatStep => ({
  do: 'end',
  ending: 'limit',
  detail: `The model has worked ${iterations} turns on this message without an answer.`,
  hint: 'Say "go on", or raise the limit.',
});

type ChatLimits = ReturnType<typeof limitsOf>;

/** The given limits, with the defaults of a conversation for the rest; `null`: no limit. */
function limitsOf({ chat: { limits } }: Pick<ConversationState, 'chat'>) {
  const { iterations = DEFAULT_MAX_ITERATIONS, callsPerReply = null, calls = null } = limits;
  const { closes = false, freeIdle = 0 } = limits;
  return { iterations, callsPerReply, calls, closes, freeIdle };
}
