/**
 * Runs a command that the person types in a conversation. It follows the path of a model's call: rules,
 * confinement and before-images apply. The person is not asked for consent, but a deny stays a deny. The
 * command is a message of its own that no turn answers; the model sees it and its result with the next message.
 * If cut off, it is settled like any command and never repeated automatically.
 */
import { misuse } from '../../lib/errors.ts';
import { execute, skipCall } from '../../round/act.ts';
import type { ConversationPorts } from '../../round/chat/conversation.ts';
import { askFirst } from '../../round/permission/ask-first.ts';
import type { ToolCall } from '../../schema/model/messages.ts';
import { commandCall } from '../../tools/toolset.ts';

/** The prefix, as it is typed and as the model reads it. */
export const OWN_COMMAND = '!';

const NOT_BEGUN = 'Not run: it had not begun when it was cut off.';

/** Throws E_USAGE when commands cannot be run at all. */
export async function runOwnCommand(live: ConversationPorts, command: string): Promise<void> {
  const { context } = live;
  const call = callOf(live, command);
  context.record({ type: 'person_said', text: `${OWN_COMMAND}${command}`, command });
  // Typing the command is consent to it, but not to the folder of its program.
  const asking = { ...live.asking, isYes: true };
  const ready = await askFirst(
    { do: 'execute', call },
    Object.create(live, { asking: { value: asking } }) as ConversationPorts,
  );
  if (ready.do === 'execute') await execute(ready.judged, live);
  endOwnCommand(live);
}

/** Ends the command. A command that a crash cut off also ends here, after it was settled. */
export function endOwnCommand(live: ConversationPorts): void {
  const { context, signal } = live;
  const { open } = context.state.chat;
  if (open?.command === undefined) return;
  if (open.calls === 0) skipCall(callOf(live, open.command), live, NOT_BEGUN);
  const ending = signal.aborted ? 'interrupted' : 'replied';
  context.record({ type: 'message_ended', ending, detail: '' });
  context.settle(false);
}

function callOf({ tools }: ConversationPorts, cmd: string): ToolCall {
  const call = commandCall(tools, { cmd });
  if (call === null) throw misuse('No command can be run in this conversation.', '');
  return { id: '', ...call };
}
