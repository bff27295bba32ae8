/** Works on the open message until it ends. Every step writes at least one record. */

import { ASIDE } from '../../drivers/chat/messages.ts';
import { type ChatStep, nextChatStep } from '../../drivers/chat/next.ts';
import { defined } from '../../lib/defined.ts';
import { execute, skipCall } from '../../round/act.ts';
import { askModel } from '../../round/chat/ask.ts';
import type { ConversationPorts } from '../../round/chat/conversation.ts';
import { askForContent } from '../../round/chat/file-wanted.ts';
import { leaveOutImages, refusesImages } from '../../round/chat/images.ts';
import { compact } from '../../round/model/compact.ts';
import { switchCandidate } from '../../round/model/failover.ts';
import { beginWait, candidateWays, wait } from '../../round/model/wait.ts';
import { askFirst } from '../../round/permission/ask-first.ts';
import type { MessageEnding } from '../../schema/records.ts';
import { type AttemptStep, beforeAttempt, stepAfterAttempt } from '../../steps/attempts.ts';
import { settingsOf } from '../../steps/select.ts';
import { endOwnCommand } from './own-command.ts';

export async function workOnMessage(live: ConversationPorts): Promise<void> {
  if (live.context.state.chat.open?.command !== undefined) return endOwnCommand(live);
  for (;;) {
    if (live.signal.aborted) return interrupt(live);
    const step = stepOf(live);
    if (step === null) return;
    await take(step, live);
  }
}

/** A conversation has no limits other than those of a message. */
const NO_BOUNDS = { limits: {}, elapsedMs: 0 };

type TalkStep = ChatStep | AttemptStep | { readonly do: 'leave_out_images' };

function stepOf(live: ConversationPorts): TalkStep | null {
  const { state } = live.context;
  if (state.chat.open === null) return null;
  if (refusesImages(live)) return { do: 'leave_out_images' };
  const ways = candidateWays(live);
  // A summary that failed is not requested again.
  const isSummary = state.lastTurn?.purpose === 'summary';
  const after = isSummary ? null : stepAfterAttempt(state, ways, NO_BOUNDS);
  if (after !== null && after !== 'again') return after;
  const known = after === 'again' ? { ...state, lastTurn: null } : state;
  const step = nextChatStep(known);
  const before = step?.do === 'ask' ? beforeAttempt(state, ways, NO_BOUNDS) : null;
  return before === null || before.do === 'pause' ? step : before;
}

async function take(step: TalkStep, live: ConversationPorts): Promise<void> {
  switch (step.do) {
    case 'begin_wait':
      return beginWait(step, live);
    case 'wait':
      return wait(live);
    case 'leave_out_images':
      return leaveOutImages(live);
    case 'switch_model':
      return switchCandidate(step.to, live, live.reconfigure);
    case 'call':
      return call(step, live);
    case 'skip':
      return skipCall(step.call, live, step.why);
    case 'ask':
      return ask(live);
    case 'ask_content':
      return askForContent(live, step.path);
    case 'show_back':
      live.context.record({ ...ASIDE, text: step.text, by: 'engine' });
      return;
    case 'compact':
      return compact(live);
    case 'end':
      return end(live, endingOf(step, live), step.detail, defined({ hint: step.hint }));
    default:
      return step satisfies never;
  }
}

/** What the model had said of an answer that is stopped stays in the conversation. */
async function ask(live: ConversationPorts): Promise<void> {
  const { status, message } = await askModel(live);
  const isText = settingsOf(live.context.state).calling !== 'held' && message.content.trim() !== '';
  if (status.kind === 'aborted' && isText)
    end(live, 'interrupted', BY_USER, { said: `${message.content.trimEnd()}\n\n${STOPPED_HERE}` });
}

async function call(
  { call: wanted }: Extract<ChatStep, { do: 'call' }>,
  live: ConversationPorts,
): Promise<void> {
  const ready = await askFirst({ do: 'execute', call: wanted }, live);
  if (ready.do === 'execute') {
    await execute(ready.judged, live);
    // A tool's result is shown at once; the next request syncs it.
    live.context.sync('effect');
    return;
  }
  // The message was stopped while a question was open; the loop handles that.
  if (!live.signal.aborted) interrupt(live, UNANSWERED, 'a question was not answered');
}

/** A message for which nobody could be asked ends as waiting for permission, whatever the model answered. */
function endingOf(
  { ending }: Extract<ChatStep, { do: 'end' }>,
  { context: { state }, asking }: ConversationPorts,
): MessageEnding {
  const isNoted =
    asking.person === null && (state.permissions?.open ?? []).some((one) => one.isNoted);
  return isNoted && (ending === 'replied' || ending === 'limit') ? 'permission' : ending;
}

const STOPPED = 'Cancelled: the user stopped the work on this message.';
const STOPPED_HERE = '(The user stopped this answer here.)';
const BY_USER = 'stopped by the user';
const UNANSWERED = 'Cancelled: this needs a yes of the user, who did not answer.';

/** Every requested call gets a result, so that providers accept the next request. */
export function interrupt(live: ConversationPorts, why = STOPPED, detail = BY_USER): void {
  const { context } = live;
  for (;;) {
    const { pending } = context.state;
    const call = pending?.calls[pending.next];
    if (!call) break;
    skipCall(call, live, why, 'cancelled');
  }
  if (context.state.chat.open !== null) end(live, 'interrupted', detail);
}

function end(
  live: ConversationPorts,
  ending: MessageEnding,
  detail: string,
  more: { readonly hint?: string; readonly said?: string } = {},
): void {
  const { context } = live;
  const hooks = live.hooks.changed();
  if (hooks !== null) live.emit({ type: 'notice', level: 'warning', text: hooks });
  context.record({ type: 'message_ended', ending, detail, ...more });
  context.settle(false);
}
