import { defined } from '../../lib/defined.ts';
import type { MessageCause } from '../../schema/model/message-cause.ts';
import type { MessagePart } from '../../schema/model/message-parts.ts';
import type { ShownFile } from '../../schema/state-parts/shown-file.ts';
import type { RunPorts } from '../run-ports.ts';

export type ConversationPort = Pick<RunPorts, 'context'>;

/** New text, or the exact result of the outcome with that seq. */
type Words =
  | {
      readonly text: string;
      readonly shows?: readonly ShownFile[];
      readonly parts?: readonly MessagePart[];
      /** A reference to an earlier message that contains the same result to the byte. */
      readonly same?: { readonly resultOf: number; readonly sameAs: number };
    }
  | { readonly resultOf: number };

export type EngineMessage = Words & {
  readonly cause: MessageCause;
  /** The call that it answers, with native tool calls. */
  readonly call?: { readonly id: string; readonly tool: string };
  readonly rewindTo?: number;
  /** The subtask that is worked on again from here. */
  readonly subtask?: string;
};

const wordsOf = (words: Words) =>
  'text' in words
    ? {
        text: words.text,
        ...(words.shows?.length ? { shows: [...words.shows] } : {}),
        ...(words.parts?.length ? { parts: [...words.parts] } : {}),
        ...words.same,
      }
    : words;

/**
 * Sends a message of the engine to the model. Every message passes through here and is durable before a request
 * contains it.
 */
export function sendToModel(
  { context }: ConversationPort,
  { cause, call, rewindTo, subtask, ...words }: EngineMessage,
): void {
  const isOnWire = context.state.pending?.areRecovered === false;
  // A result already names its call.
  const named = 'text' in words && call && isOnWire;
  context.record({
    type: 'message_added',
    role: call && isOnWire ? 'tool' : 'user',
    ...wordsOf(words),
    cause,
    ...(named ? { toolCallId: call.id, toolName: call.tool } : {}),
    ...defined({ rewindTo, subtask }),
  });
}
