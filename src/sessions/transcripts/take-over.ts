/**
 * Imports a conversation that was held elsewhere: its messages become the first ones of a new session. They are
 * journalled as if they had been sent here, cost nothing, and are not reported.
 */

import { ASIDE } from '../../drivers/chat/messages.ts';
import { giveResult } from '../../round/act.ts';
import type { Message } from '../../schema/model/messages.ts';
import { NO_USAGE } from '../../schema/model/turn.ts';
import type { LiveSession } from '../options.ts';

type Live = Pick<LiveSession, 'context' | 'tools'>;

/**
 * System messages are left out: the session has a prompt of its own.
 * @param messages every call with its result, in order
 * @param isUnanswered whether the person's only message is still being worked on; other user messages came from the
 * engine
 */
export function takeOver(live: Live, messages: readonly Message[], isUnanswered = false): void {
  for (const message of messages) take(live, message, isUnanswered);
  if (!isUnanswered) endMessage(live);
  live.context.sync('effect');
}

function take(live: Live, message: Message, isUnanswered: boolean): void {
  const { context } = live;
  switch (message.role) {
    case 'system':
      return;
    case 'user': {
      const text = message.content;
      if (isUnanswered && context.state.chat.open !== null) {
        context.record({ ...ASIDE, text, by: 'engine' });
        return;
      }
      endMessage(live);
      context.record({ type: 'person_said', text });
      return;
    }
    case 'assistant':
      replied(live, message);
      return;
    case 'tool':
      returned(live, message);
      return;
    default:
      message satisfies never;
  }
}

/** If the model has not answered, it counts as interrupted: the reason is unknown. */
function endMessage({ context }: Live): void {
  const { chat, lastTurn } = context.state;
  if (chat.open === null) return;
  const ending = lastTurn?.decoded === 'text' ? 'replied' : 'interrupted';
  context.record({ type: 'message_ended', ending, detail: '' });
}

function replied({ context }: Live, message: Extract<Message, { role: 'assistant' }>) {
  const { content, thinking, toolCalls = [], opaque, model = '' } = message;
  const { counters, settings } = context.state;
  const calls = [...toolCalls];
  context.record({
    type: 'turn_finished',
    turn: counters.turns + 1,
    round: 0,
    attempt: 1,
    purpose: 'action',
    seed: settings?.seed ?? 0,
    status: { kind: 'success' },
    detail: '',
    rawReason: '',
    givenBy: model,
    response: {
      content,
      ...(thinking === undefined ? {} : { thinking }),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(opaque === undefined ? {} : { opaque }),
    },
    decoded: calls.length === 0 ? { kind: 'text' } : { kind: 'calls', calls, recovered: false },
    usage: NO_USAGE,
  });
}

/** The call was not carried out here, so it changed nothing that an undo could restore. */
function returned(live: Live, { content, toolCallId }: Extract<Message, { role: 'tool' }>): void {
  const { pending } = live.context.state;
  const due = pending?.calls[pending.next];
  if (due === undefined || due.id !== toolCallId) throw new Error(`no call ${toolCallId} waits`);
  giveResult(live, due, { status: 'ok', result: content, facts: { changed: false } });
}
