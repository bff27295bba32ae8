import { driverOf } from '../../drivers/driver-of.ts';
import { defined } from '../../lib/defined.ts';
import type { MessageCause } from '../../schema/model/message-cause.ts';
import type { MessagePart } from '../../schema/model/message-parts.ts';
import type { ShownFile } from '../../schema/state-parts/shown-file.ts';
import type { Run } from '../run.ts';

export type ConversationPort = Pick<Run, 'context'>;

/** Words of its own, or the result of the outcome with that seq, word for word. */
type Words =
  | {
      readonly text: string;
      readonly shows?: readonly ShownFile[];
      readonly parts?: readonly MessagePart[];
      /** It stands for the result of that outcome, which an earlier message has to the byte. */
      readonly same?: { readonly resultOf: number; readonly sameAs: number };
    }
  | { readonly resultOf: number };

export type EngineMessage = Words & {
  readonly cause: MessageCause;
  /** The call it answers, where tool calls are on the wire. */
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

/** Every word of the engine to the model goes through here, durable before a request holds it. */
export function sendToModel(
  { context }: ConversationPort,
  { cause, call, rewindTo, subtask, ...words }: EngineMessage,
): void {
  const { settings, pending } = context.state;
  const isOnWire = driverOf(settings).callsTools && pending?.areRecovered === false;
  // A result brings its call with it.
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
