// Pure: converts neutral messages into the API's turns, whose roles alternate.
import type {
  ContentBlockParam,
  ImageBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import type { Message, MessageImage } from '../../schema/model/messages.ts';
import { answeredCalls } from '../wire/answered-calls.ts';
import { answerPartsOf } from './signed-blocks.ts';
import { type AnthropicNames, safeId } from './wire-names.ts';

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

export interface AnthropicMessageOptions {
  readonly model: string;
  readonly names: AnthropicNames;
  /** False: signed thinking is left out. */
  readonly withSigned: boolean;
}

/** The text of a turn that the API requires and that has no content. */
const GO_ON = 'Go on.';

export function conversationOf(messages: readonly Message[], options: AnthropicMessageOptions) {
  const firstOther = messages.findIndex((message) => message.role !== 'system');
  const end = firstOther === -1 ? messages.length : firstOther;
  const system = messages.slice(0, end).map((message) => message.content);
  const build = turnBuilder(options);
  for (const message of answeredCalls(messages.slice(end), { wireId: safeId })) build.add(message);
  return { system: system.filter(isText).join('\n\n'), turns: build.finish() };
}

function turnBuilder(options: AnthropicMessageOptions) {
  const turns: AnthropicMessage[] = [];
  let results: ToolResultBlockParam[] = [];
  let texts: (TextBlockParam | ImageBlockParam)[] = [];

  const endUserTurn = (): void => {
    const blocks = [...results, ...texts];
    if (blocks.length > 0) pushTo(turns, 'user', blocks);
    else if (turns.length === 0) pushTo(turns, 'user', [textBlock(GO_ON)]);
    results = [];
    texts = [];
  };

  const addText = (text: string): void => {
    if (isText(text)) texts.push(textBlock(text));
  };

  return {
    add(message: Message): void {
      switch (message.role) {
        case 'system':
          addText(message.content);
          break;
        case 'user':
          // A question about an image works best after the image.
          texts.push(...(message.images ?? []).map(imageBlock));
          addText(message.content);
          break;
        case 'tool':
          results.push(resultBlock(message.toolCallId, message.content));
          break;
        case 'assistant': {
          endUserTurn();
          const blocks = answerBlocks(message, options);
          if (blocks.length > 0) pushTo(turns, 'assistant', blocks);
          break;
        }
      }
    },
    /** Ends with the user's turn: not every model continues where an answer stopped. */
    finish(): readonly AnthropicMessage[] {
      endUserTurn();
      if (turns.at(-1)?.role !== 'user') pushTo(turns, 'user', [textBlock(GO_ON)]);
      return turns;
    },
  };
}

function pushTo(
  turns: AnthropicMessage[],
  role: AnthropicMessage['role'],
  blocks: ContentBlockParam[],
): void {
  const last = turns.at(-1);
  if (last?.role === role) last.content.push(...blocks);
  else turns.push({ role, content: blocks });
}

function answerBlocks(
  message: Extract<Message, { role: 'assistant' }>,
  { model, names, withSigned }: AnthropicMessageOptions,
): ContentBlockParam[] {
  return answerPartsOf(message, model).flatMap((part): ContentBlockParam[] => {
    if (part.type === 'text') return isText(part.text) ? [textBlock(part.text)] : [];
    if (part.type === 'signed') return withSigned ? [part.block] : [];
    const call = message.toolCalls?.[part.index];
    if (call === undefined) return [];
    return [{ type: 'tool_use', id: call.id, name: names.toWire(call.name), input: call.args }];
  });
}

/** The API refuses blank text. */
const isText = (text: string): boolean => text.trim() !== '';

const imageBlock = ({ mediaType, data }: MessageImage): ImageBlockParam => ({
  type: 'image',
  source: { type: 'base64', media_type: mediaType as ImageType, data },
});

type ImageType = Extract<ImageBlockParam['source'], { type: 'base64' }>['media_type'];

const textBlock = (text: string): TextBlockParam => ({ type: 'text', text });

const resultBlock = (id: string, content: string): ToolResultBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(isText(content) ? { content } : {}),
});
