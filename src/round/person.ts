/** What a person says while the run works: journalled when it comes, told when there is a place for it. */
import { personMessage } from '../prompts/person.ts';
import { MAX_LINE, MAX_WAITING, type Taken } from '../schema/inbox.ts';
import { type ConversationPort, sendToModel } from './model/send-to-model.ts';

/**
 * Journals a line, at any time, also while a turn or a command is under way. It is durable when this
 * returns, so that it may be shown as kept.
 */
export function receiveMessage({ context }: ConversationPort, line: string): Taken {
  const text = line.trim();
  if (text === '') return 'empty';
  if (text.length > MAX_LINE) return 'too_long';
  if ((context.state.person?.waiting.length ?? 0) >= MAX_WAITING) return 'too_many';
  context.record({ type: 'person_said', text });
  context.sync('question');
  return 'kept';
}

/** All that is due goes in one message. */
export function passOn(run: ConversationPort): void {
  const { context } = run;
  const due = context.state.person?.waiting.filter(({ isDue }) => isDue) ?? [];
  const lines = due.map(({ text }) => context.textOf(text));
  const parts = due.flatMap((line) => line.parts ?? []);
  sendToModel(run, { cause: 'person', text: personMessage(lines), parts });
}
