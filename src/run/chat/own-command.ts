/**
 * A command that the person runs in a conversation. It goes the way of a call of the model: under the rules, confined as
 * other commands are, with what it may change kept before. Whoever types it is not asked; what is denied is denied.
 * It is a message of its own that no turn answers: the model sees it, and what came of it, with the next message.
 * Cut off, it is settled as any command, and never run again by itself.
 */
import { TardigradeError } from '../../lib/errors.ts';
import { execute, skipCall } from '../../round/act.ts';
import type { Conversation } from '../../round/chat/conversation.ts';
import { askFirst } from '../../round/permission/ask-first.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { commandCall } from '../../tools/toolset.ts';

/** As it is typed, and as the model reads it. */
export const OWN_COMMAND = '!';

const NOT_BEGUN = 'Not run: it had not begun when it was cut off.';

/** Throws E_USAGE where commands cannot be run at all. */
export async function runOwnCommand(live: Conversation, command: string): Promise<void> {
  const { context } = live;
  const call = callOf(live, command);
  context.record({ type: 'person_said', text: `${OWN_COMMAND}${command}`, command });
  // Typing it is the yes; the folder of a program is another question.
  const asking = { ...live.asking, isYes: true };
  const ready = await askFirst(
    { do: 'execute', call },
    Object.create(live, { asking: { value: asking } }) as Conversation,
  );
  if (ready.do === 'execute') await execute(ready.judged, live);
  endOwnCommand(live);
}

/** Also what a crash cut off, once it is settled. */
export function endOwnCommand(live: Conversation): void {
  const { context, signal } = live;
  const { open } = context.state.chat;
  if (open?.command === undefined) return;
  if (open.calls === 0) skipCall(callOf(live, open.command), live, NOT_BEGUN);
  const ending = signal.aborted ? 'interrupted' : 'replied';
  context.record({ type: 'message_ended', ending, detail: '' });
  context.settle(false);
}

function callOf({ tools }: Conversation, cmd: string): ToolCall {
  const call = commandCall(tools, { cmd });
  if (call === null)
    throw new TardigradeError('E_USAGE', 'No command can be run in this conversation.', '');
  return { id: '', ...call };
}
