/** Pure: turns a neutral request into the call options of an AI SDK model. */
import type { Message, MessageImage } from '../../schema/model/messages.ts';
import type { ModelRequest } from '../../schema/model/turn.ts';
import { schemaPrompt } from '../wire/answer-words.ts';
import { answeredCalls } from '../wire/answered-calls.ts';
import type { CallOptions, PromptMessage, PromptPart } from './contract.ts';
import { Blocks } from './opaque.ts';

/** @param provider as the model is called here; it does not get what another provider signed */
export function callOptions(
  request: ModelRequest,
  {
    provider,
    version,
    signal,
  }: {
    readonly provider: string;
    readonly version: string;
    readonly signal: AbortSignal;
  },
): CallOptions {
  const { tools = [], responseSchema, temperature, effort } = request;
  return {
    prompt: promptOf(request, provider),
    maxOutputTokens: request.maxOutputTokens,
    ...(temperature === null ? {} : { temperature }),
    seed: request.seed,
    ...(responseSchema === undefined
      ? {}
      : { responseFormat: { type: 'json', name: 'answer', schema: responseSchema } as const }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function' as const,
            name,
            description,
            inputSchema: parameters,
          })),
          toolChoice: { type: 'auto' } as const,
        }),
    ...(effort !== undefined && version === 'v4' ? { reasoning: effort } : {}),
    abortSignal: signal,
  };
}

function promptOf(
  { messages, responseSchema }: ModelRequest,
  provider: string,
): readonly PromptMessage[] {
  const prompt: PromptMessage[] = [];
  for (const message of answeredCalls(messages)) {
    const next = promptMessage(message, provider);
    const last = prompt.at(-1);
    // The results of one reply belong together.
    if (next.role === 'tool' && last?.role === 'tool')
      prompt[prompt.length - 1] = { ...last, content: [...last.content, ...next.content] };
    else prompt.push(next);
  }
  // Not every provider behind the SDK holds an answer to a schema, and none says whether it does.
  if (responseSchema !== undefined) prompt.push(userMessage(schemaPrompt(responseSchema)));
  return prompt;
}

const userMessage = (text: string, images: readonly MessageImage[] = []): PromptMessage => ({
  role: 'user',
  content: [
    { type: 'text', text },
    ...images.map((image) => ({ type: 'file' as const, ...image })),
  ],
});

function promptMessage(message: Message, provider: string): PromptMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return userMessage(message.content, message.images);
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message, provider) };
    case 'tool': {
      const { toolCallId, toolName, content } = message;
      const output = { type: 'text', value: content } as const;
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
    default:
      return message satisfies never;
  }
}

type Assistant = Extract<Message, { role: 'assistant' }>;

/** In the order in which the parts arrived, as long as the conversation still has the same parts. */
function assistantParts(message: Assistant, provider: string): readonly PromptPart[] {
  const { content, toolCalls = [], opaque } = message;
  const read = opaque?.provider === provider ? Blocks.safeParse(opaque.blocks) : null;
  const blocks = read?.success ? read.data : [];
  const metadataOf = (id: string) =>
    blocks.find((block) => block.type === 'tool-call' && block.id === id)?.metadata;
  const callPart = (call: (typeof toolCalls)[number]): PromptPart => ({
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.name,
    input: call.args,
    ...withMetadata(metadataOf(call.id)),
  });
  const texts = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const ids = blocks.flatMap((block) => (block.type === 'tool-call' ? [block.id] : []));
  const isWhole =
    texts.join('') === content && ids.join('\n') === toolCalls.map(({ id }) => id).join('\n');
  if (blocks.length > 0 && isWhole)
    return blocks.flatMap((block): PromptPart[] => {
      if (block.type === 'tool-call')
        return toolCalls.filter(({ id }) => id === block.id).map(callPart);
      return [{ type: block.type, text: block.text, ...withMetadata(block.metadata) }];
    });
  const thoughts = blocks.flatMap((block): PromptPart[] =>
    block.type === 'reasoning'
      ? [{ type: 'reasoning', text: block.text, ...withMetadata(block.metadata) }]
      : [],
  );
  const text: readonly PromptPart[] = content === '' ? [] : [{ type: 'text', text: content }];
  return [...thoughts, ...text, ...toolCalls.map(callPart)];
}

const withMetadata = (metadata: { readonly [provider: string]: unknown } | undefined) =>
  metadata === undefined ? {} : { providerOptions: metadata };
