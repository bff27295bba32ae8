/** Pure: a conversation as text and as a list of messages, for people and other programs. */
import { answeredCalls } from '../../llm/wire/answered-calls.ts';
import { partsText } from '../../prompts/message-parts.ts';
import type { Message } from '../../schema/model/messages.ts';

/** Replaces the missing result of a call in a session that was cut off. */
export const MISSING_RESULT = '[Tool result missing — session was interrupted]';

/** Gives every call a result; a missing one says that it is missing. */
export function withEveryResult(messages: readonly Message[]): readonly Message[] {
  return answeredCalls(messages, { missing: MISSING_RESULT });
}

/** The longest result in a text for skimming. */
const LONGEST_RESULT = 2_000;

/**
 * @param room characters; if there are more, the beginning is dropped
 * @param isSummedUp true if the first message is a summary; it stays, because nothing else holds what came
 * before
 */
export function transcriptText(
  messages: readonly Message[],
  room: number,
  isSummedUp = false,
): string {
  const paragraphs = withEveryResult(messages).map(paragraph);
  const text = paragraphs.join('\n\n');
  if (text.length <= room) return text;
  const summary = isSummedUp ? (paragraphs[0] ?? '').slice(0, Math.floor(room / 2)) : '';
  const end = `[…]\n${text.slice(text.length - room + summary.length)}`;
  return summary === '' ? end : `${summary}\n\n${end}`;
}

function paragraph(message: Message): string {
  switch (message.role) {
    case 'system':
      return '';
    case 'user':
      return `USER: ${message.content}${partsText(message.parts)}`;
    case 'tool':
      return `RESULT of ${message.toolName}: ${shortened(message.content)}`;
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(
        ({ name, args }) => `CALL ${name} ${shortened(JSON.stringify(args))}`,
      );
      return ['ASSISTANT:', message.content, ...calls].filter(Boolean).join('\n');
    }
  }
}

const shortened = (text: string): string =>
  text.length <= LONGEST_RESULT
    ? text
    : `${text.slice(0, LONGEST_RESULT)} [truncated ${text.length - LONGEST_RESULT} chars]`;
