/** Pure: turns a neutral request into the call options of an AI SDK model. */
import type { Message, MessageImage } from '../../schema/model/messages.ts';
import type { ModelRequest } from '../../schema/model/turn.ts';
import { schemaPrompt } from '../wire/answer-words.ts';
import { answeredCalls } from '../wire/answered-calls.ts';
import { Blocks, type OpaqueBlock } from './opaque.ts';

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
) {
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

function promptOf({ messages, responseSchema }: ModelRequest, provider: string) {
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

type PromptMessage = ReturnType<typeof promptMessage>;

const userMessage = (text: string, images: readonly MessageImage[] = []) => ({
  role: 'user' as const,
  content: [{ type: 'text', text }, ...images.map((image) => ({ type: 'file', ...image }))],
});

function promptMessage(message: Message, provider: string) {
  const { role, content } = message;
  switch (role) {
    case 'system':
      return { role, content };
    case 'user':
      return userMessage(content, message.images);
    case 'assistant':
      return { role, content: assistantParts(message, provider) };
    case 'tool': {
      const { toolCallId, toolName } = message;
      const output = { type: 'text', value: content };
      return { role, content: [{ type: 'tool-result', toolCallId, toolName, output }] };
    }
    default:
      return role satisfies never;
  }
}

type Assistant = Extract<Message, { role: 'assistant' }>;

/** In the order in which the parts arrived, as long as the conversation still has the same parts. */
function assistantParts(message: Assistant, provider: string) {
  const { content, toolCalls = [], opaque } = message;
  const read = opaque?.provider === provider ? Blocks.safeParse(opaque.blocks) : null;
  const blocks = read?.success ? read.data : [];
  const metadataOf = (id: string) =>
    blocks.find((block) => block.type === 'tool-call' && block.id === id)?.metadata;
  const callPart = (call: (typeof toolCalls)[number]) => ({
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
    return blocks.flatMap((block): readonly object[] =>
      block.type === 'tool-call'
        ? toolCalls.filter(({ id }) => id === block.id).map(callPart)
        : [textPart(block)],
    );
  const thoughts = blocks.flatMap((block) => (block.type === 'reasoning' ? [textPart(block)] : []));
  const text = content === '' ? [] : [{ type: 'text', text: content }];
  return [...thoughts, ...text, ...toolCalls.map(callPart)];
}

const textPart = ({ type, text, metadata }: Exclude<OpaqueBlock, { type: 'tool-call' }>) => ({
  type,
  text,
  ...withMetadata(metadata),
});

const withMetadata = (metadata: { readonly [provider: string]: unknown } | undefined) =>
  metadata === undefined ? {} : { providerOptions: metadata };
