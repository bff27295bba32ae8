/** Sends the images of a conversation to the model: byte for byte as attached, or as words in their place. */
import { LOST_PART, partsText } from '../../prompts/message-parts.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { RunState } from '../../schema/state.ts';
import { settingsOf } from '../../steps/select.ts';
import { learn } from '../model/learn.ts';
import type { ConversationPorts } from './conversation.ts';

/** True when images are sent to the model in use. */
export const seesImages = ({ settings }: Pick<RunState, 'settings'>): boolean =>
  settings?.images === 'sent' || settings?.images === 'tried';

/** The messages of a request, with each image part as the image or as its description. */
export function withImages(
  messages: readonly Message[],
  { context }: Pick<ConversationPorts, 'context'>,
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
 * True when a model whose image support is unknown refused a request with an image; it is asked once more
 * without. Only the status decides, not the server's message.
 */
export function refusesImages({ context }: Pick<ConversationPorts, 'context'>): boolean {
  const { settings, lastTurn, conversation } = context.state;
  const status = lastTurn?.status;
  if (settings?.images !== 'tried' || lastTurn?.purpose !== 'action') return false;
  if (status?.kind !== 'model_error' || status.retryable || status.lacks !== undefined)
    return false;
  return context.messagesOf(conversation).some((one) => one.role === 'user' && one.parts);
}

export function leaveOutImages({ context, emit }: ConversationPorts): void {
  const before = settingsOf(context.state);
  const { model } = before;
  const why = `${model} takes no images`;
  context.record({ type: 'settings_changed', ...before, images: 'refused', why });
  emit({
    type: 'notice',
    level: 'warning',
    text: `${why}, it seems: it is asked once more without them.`,
  });
}

/** Only a successful answer without the images shows that they were the reason. */
export function learnOfImages(live: ConversationPorts): void {
  const { settings, lastTurn } = live.context.state;
  if (settings?.images === 'refused' && lastTurn?.status.kind === 'success')
    learn(live, { takesNoImages: true });
}

export interface Image {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Records a person's message. Its images are stored before the record that names them. */
export function personSays(
  { context }: Pick<ConversationPorts, 'context'>,
  text: string,
  images: readonly Image[],
): void {
  const parts = images.map(({ bytes, mediaType }) => ({
    blob: context.journal.blobs.keep(bytes),
    mediaType,
    bytes: bytes.length,
  }));
  context.record({ type: 'person_said', text, ...(parts.length === 0 ? {} : { parts }) });
}
