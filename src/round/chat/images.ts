/** Images of a conversation on their way to a model: byte for byte as they were attached, or words in their place. */
import { LOST_PART, partsText } from '../../prompts/message-parts.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { RunState } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import { learn } from '../model/learn.ts';
import type { Conversation } from './conversation.ts';

/** Whether images go to the model in use. */
export const seesImages = ({ settings }: Pick<RunState, 'settings'>): boolean =>
  settings?.images === 'sent' || settings?.images === 'tried';

/** The messages of a request: each part as its image, or as what is said of it. */
export function withImages(
  messages: readonly Message[],
  { context }: Pick<Conversation, 'context'>,
): readonly Message[] {
  const { blobs } = context.journal;
  const isSent = seesImages(context.state);
  return messages.map((message) => {
    if (message.role !== 'user' || message.parts === undefined) return message;
    const { parts, ...rest } = message;
    if (!isSent) return { ...rest, content: rest.content + partsText(parts) };
    const kept = parts.filter(({ blob }) => blobs.has(blob));
    const images = kept.map(({ blob, mediaType }) => ({
      mediaType,
      data: blobs.read(blob).toString('base64'),
    }));
    return {
      ...rest,
      content: rest.content + LOST_PART.repeat(parts.length - kept.length),
      ...(images.length === 0 ? {} : { images }),
    };
  });
}

/**
 * A model that nobody knows of whether it takes images refused a request with one: it is asked once more without. Told
 * by its status alone, not by what the server says.
 */
export function refusesImages({ context }: Pick<Conversation, 'context'>): boolean {
  const { settings, lastTurn, conversation } = context.state;
  const status = lastTurn?.status;
  if (settings?.images !== 'tried' || lastTurn?.purpose !== 'action') return false;
  if (status?.kind !== 'model_error' || status.retryable || status.lacks !== undefined)
    return false;
  return context.messagesOf(conversation).some((one) => one.role === 'user' && one.parts);
}

export function leaveOutImages({ context, emit }: Conversation): void {
  const before = settingsOf(context.state);
  const { model } = before;
  const why = `${model} takes no images`;
  context.record({ type: 'settings_changed', ...before, images: 'refused', why });
  emit({
    ...{ type: 'notice', level: 'warning' },
    text: `${why}, it seems: it is asked once more without them.`,
  });
}

/** Only what it answers without them shows that they were the reason. */
export function learnOfImages(live: Conversation): void {
  const { settings, lastTurn } = live.context.state;
  if (settings?.images === 'refused' && lastTurn?.status.kind === 'success')
    learn(live, { takesNoImages: true });
}

interface Image {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** The message of a person, its images kept before the record that names them. */
export function personSays(
  { context }: Pick<Conversation, 'context'>,
  text: string,
  images: readonly Image[],
): void {
  const parts = images.map(({ bytes, mediaType }) => ({
    ...{ blob: context.journal.blobs.keep(bytes), mediaType, bytes: bytes.length },
  }));
  context.record({ type: 'person_said', text, ...(parts.length === 0 ? {} : { parts }) });
}
