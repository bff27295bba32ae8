/** Pure: reduces neutral messages to what a chat template knows: system, user and assistant text. */
import type { Message } from '../../schema/model/messages.ts';
import { answeredCalls, resultWords } from '../wire/answered-calls.ts';
import type { ChatMessage } from './protocol.ts';

export function chatMessages(messages: readonly Message[]): readonly ChatMessage[] {
  return answeredCalls(messages).map(chatMessage);
}

function chatMessage(message: Message): ChatMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'user', content: resultWords(message) };
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(({ name, args }) =>
        JSON.stringify({ name, arguments: args }),
      );
      return {
        role: 'assistant',
        content: [message.content, ...calls].filter(Boolean).join('\n'),
      };
    }
  }
}
