/** The journal of a conversation, and what of it the model and the person see. */
import { ContextManager } from '../../context-manager/context-manager.ts';
import type { ContextPorts } from '../../context-manager/context-ports.ts';
import {
  chatMessageOf,
  constrainedMessageOf,
  spokenWords,
  withReminder,
} from '../../drivers/chat/messages.ts';
import type { OpenedJournal } from '../../journal/recover.ts';
import { orNull } from '../../lib/or-null.ts';
import type { SessionEmit, SessionEvent } from '../../schema/events/events.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { JournalRecord } from '../../schema/records.ts';
import type { ConversationState, MessageRef } from '../../schema/state.ts';

export type ChatContext = ContextManager & { readonly state: ConversationState };

interface ChatPorts extends Omit<ContextPorts, 'emit' | 'messageOf' | 'hasTrace'> {
  readonly emit: SessionEmit;
}

/** The journal's format was checked, so this is a conversation, and so is each of its states. */
export const chatContext = (
  opened: OpenedJournal<ConversationState, JournalRecord>,
  { emit, ...ports }: ChatPorts,
): ChatContext =>
  new ContextManager(opened, {
    ...ports,
    emit: (event) => emit(event as SessionEvent),
    messageOf: chatMessageOf,
    hasTrace: false,
  }) as ChatContext;

/** Writes a snapshot for the next start if the disk permits it. */
export function settleSnapshot(context: ChatContext): void {
  // The next start can read the journal instead.
  orNull(() => context.settle());
}

/** A message in the forms in which it is read repeatedly. */
interface Spoken {
  /** The message for a model held to a schema. */
  readonly constrained: Message;
  /** The words for the person. */
  readonly words: string;
  /** True for the result of a call that failed. */
  readonly hasFailed: boolean;
}

/** Further readings of the context's messages. */
export class SpokenMessages {
  readonly #context: ChatContext;
  /** By the offset of the text, which a shortened message does not have. */
  readonly #known = new Map<string, Spoken>();

  constructor(context: ChatContext) {
    this.#context = context;
  }

  /** The conversation for a model held to a schema. */
  constrained(): readonly Message[] {
    let said = '';
    return this.#context.state.conversation.map((ref) => {
      const { constrained: held, hasFailed } = this.#spoken(ref);
      if (ref.cause === 'person') said = held.content;
      return ref.cause === 'tool_result' ? withReminder(held, said, hasFailed) : held;
    });
  }

  /** The current message, or the latest one; empty when a summary covers it. */
  saidLast(): string {
    const ref = this.#context.state.conversation.findLast(({ cause }) => cause === 'person');
    return ref === undefined ? '' : this.#spoken(ref).words;
  }

  /** What a reply says to the person. */
  wordsAt(ref: MessageRef): string {
    return this.#spoken(ref).words;
  }

  #spoken(ref: MessageRef): Spoken {
    const place = `${ref.seq}@${ref.offset}`;
    const known = this.#known.get(place);
    if (known) return known;
    const record = this.#context.recordOf(ref);
    const message = chatMessageOf(record, ref);
    const words = record.type === 'turn_finished' ? spokenWords(record) : message.content;
    const hasFailed = record.type === 'action_finished' && record.status !== 'ok';
    const spoken = { constrained: constrainedMessageOf(record, message), words, hasFailed };
    this.#known.set(place, spoken);
    return spoken;
  }
}
