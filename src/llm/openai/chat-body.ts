// Pure: translates a neutral request into the body of /chat/completions; deterministic to the byte.

import { defined } from '../../lib/defined.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { JsonSchema, ModelRequest } from '../../schema/model/turn.ts';
import { schemaPrompt } from '../wire/answer-words.ts';
import { answeredCalls } from '../wire/answered-calls.ts';
import { toWireSchema } from '../wire/wire-schema.ts';
import { wireSeed, wireTool } from '../wire/wire-tool.ts';
import { OpaqueBlocks } from './opaque.ts';
import type { Quirks } from './quirks.ts';
import type { OpenAiNames } from './wire-names.ts';

/** Neutral calls and thinking of another provider are sent along; its own blocks are not. */
export function chatBody(
  request: ModelRequest,
  quirks: Quirks,
  names: OpenAiNames,
  provider: string,
) {
  const { responseSchema: schema, tools } = request;
  const messages = answeredCalls(withSchema(request, quirks)).map((message) =>
    wireMessage(message, { quirks, names, provider }),
  );
  const limit = Math.min(
    request.maxOutputTokens,
    quirks.largestLimit ?? Number.POSITIVE_INFINITY,
    roomFor(request, JSON.stringify([messages, tools ?? []], withoutImages).length),
  );
  return {
    model: request.model,
    stream: true as const,
    ...defined({
      stream_options: quirks.takesStreamOptions ? { include_usage: true } : undefined,
      return_progress: quirks.tellsProgress ? true : undefined,
      max_tokens: quirks.limitField === 'max_tokens' ? limit : undefined,
      max_completion_tokens: quirks.limitField === 'max_tokens' ? undefined : limit,
      temperature: quirks.takesTemperature ? (request.temperature ?? undefined) : undefined,
      seed: quirks.takesSeed ? wireSeed(request.seed) : undefined,
      reasoning_effort: quirks.takesEffort ? request.effort : undefined,
      response_format: schema && responseFormat(schema, quirks),
      tools: tools?.length
        ? tools.map((tool) => wireTool(tool, names.toolToWire(tool.name)))
        : undefined,
    }),
    messages,
  };
}

/** Code and English have more characters per token. */
const CHARS_PER_TOKEN = 3.2;
const MIN_ANSWER = 512;

/** Tokens left besides the prompt: vLLM refuses a prompt that fits if the requested answer does not. */
const roomFor = ({ contextWindow }: ModelRequest, chars: number): number =>
  Math.max(MIN_ANSWER, contextWindow - Math.ceil(chars / CHARS_PER_TOKEN));

/** The room for an image does not depend on its text length. */
const LENGTH_OF_IMAGE = 4_800;

const withoutImages = (key: string, value: unknown): unknown =>
  key === 'image_url' ? 'x'.repeat(LENGTH_OF_IMAGE) : value;

function responseFormat(schema: JsonSchema, { schemaForm }: Quirks) {
  switch (schemaForm) {
    case 'json_schema': {
      const wire = toWireSchema(schema);
      const json_schema = { name: 'answer', strict: isStrict(wire), schema: wire };
      return { type: schemaForm, json_schema };
    }
    case 'json_object':
      return { type: schemaForm };
    case 'prompt':
      return undefined;
  }
}

/** OpenAI's strict mode accepts only closed objects whose fields are all required. */
function isStrict(node: unknown, isRoot = true): boolean {
  if (Array.isArray(node)) return node.every((child) => isStrict(child, false));
  if (typeof node !== 'object' || node === null) return true;
  const { type, properties, required, additionalProperties } = node as JsonSchema;
  if (isRoot && type !== 'object') return false;
  if (type === 'object') {
    const wanted = Array.isArray(required) ? required : [];
    const fields = Object.keys(properties ?? {});
    if (additionalProperties !== false || fields.some((field) => !wanted.includes(field)))
      return false;
  }
  return Object.values(node).every((child) => isStrict(child, false));
}

/** If no grammar enforces the schema, words at the very end describe it; earlier messages stay as they are. */
function withSchema(
  { messages, responseSchema }: ModelRequest,
  quirks: Quirks,
): readonly Message[] {
  if (!responseSchema || quirks.schemaForm === 'json_schema') return messages;
  const words = schemaPrompt(toWireSchema(responseSchema));
  const last = messages.at(-1);
  return last?.role === 'user'
    ? [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${words}` }]
    : [...messages, { role: 'user', content: words }];
}

interface Manner {
  readonly quirks: Quirks;
  readonly names: OpenAiNames;
  readonly provider: string;
}

function wireMessage(message: Message, manner: Manner) {
  const { names } = manner;
  switch (message.role) {
    case 'system':
      return { role: message.role, content: message.content };
    case 'user':
      return { role: message.role, content: userContent(message) };
    case 'assistant':
      return wireAssistant(message, manner);
    case 'tool':
      return {
        role: message.role,
        tool_call_id: names.idToWire(message.toolCallId),
        name: names.toolToWire(message.toolName),
        content: message.content,
      };
  }
}

/** Text without images, in the form that every server accepts. */
function userContent({ content, images = [] }: Extract<Message, { role: 'user' }>) {
  if (images.length === 0) return content;
  return [
    { type: 'text' as const, text: content },
    ...images.map(({ mediaType, data }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ];
}

function wireAssistant(
  message: Extract<Message, { role: 'assistant' }>,
  { quirks, names, provider }: Manner,
) {
  const { role, content, opaque, thinking, toolCalls = [] } = message;
  const own =
    opaque?.provider === provider ? OpaqueBlocks.safeParse(opaque.blocks).data : undefined;
  const calls = toolCalls.map(({ id, name, args }) => ({
    id: names.idToWire(id),
    type: 'function' as const,
    function: { name: names.toolToWire(name), arguments: JSON.stringify(args) },
    ...(own?.extra_content?.[id] ? { extra_content: own.extra_content[id] } : {}),
  }));
  return {
    role,
    content,
    ...defined({
      reasoning_content: quirks.wantsThinking ? thinking || undefined : undefined,
      reasoning_details: own?.reasoning_details,
      tool_calls: calls.length > 0 ? calls : undefined,
    }),
  };
}
