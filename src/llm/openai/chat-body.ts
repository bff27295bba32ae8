// Pure: translates a neutral request into the body of /chat/completions; deterministic to the byte.

import type { Effort } from '../../schema/config.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { JsonSchema, ModelRequest } from '../../schema/model/turn.ts';
import { schemaPrompt } from '../wire/answer-words.ts';
import { answeredCalls } from '../wire/answered-calls.ts';
import { toWireSchema } from '../wire/wire-schema.ts';
import { type WireTool, wireSeed, wireTool } from '../wire/wire-tool.ts';
import { OpaqueBlocks } from './opaque.ts';
import type { Quirks } from './quirks.ts';
import type { OpenAiNames } from './wire-names.ts';

export interface OpenAiChatBody {
  readonly model: string;
  readonly stream: true;
  readonly stream_options?: { readonly include_usage: true };
  readonly return_progress?: true;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly seed?: number;
  readonly reasoning_effort?: Effort;
  readonly response_format?: ResponseFormat;
  readonly tools?: WireTool[];
  readonly messages: WireMessage[];
}

type ResponseFormat =
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly strict: boolean;
        readonly schema: JsonSchema;
      };
    }
  | { readonly type: 'json_object' };

type WireMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'user'; readonly content: UserPart[] }
  | WireAssistant
  | {
      readonly role: 'tool';
      readonly tool_call_id: string;
      readonly name: string;
      readonly content: string;
    };

type UserPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

interface WireAssistant {
  readonly role: 'assistant';
  readonly content: string;
  readonly reasoning_content?: string;
  readonly reasoning_details?: unknown;
  readonly tool_calls?: {
    readonly id: string;
    readonly type: 'function';
    readonly function: { readonly name: string; readonly arguments: string };
    readonly extra_content?: unknown;
  }[];
}

/** Neutral calls and thinking of another provider are sent along; its own blocks are not. */
export function chatBody(
  request: ModelRequest,
  quirks: Quirks,
  names: OpenAiNames,
  provider: string,
): OpenAiChatBody {
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
    stream: true,
    ...(quirks.takesStreamOptions ? { stream_options: { include_usage: true } } : {}),
    ...(quirks.tellsProgress ? { return_progress: true } : {}),
    ...(quirks.limitField === 'max_tokens'
      ? { max_tokens: limit }
      : { max_completion_tokens: limit }),
    ...(quirks.takesTemperature && request.temperature !== null
      ? { temperature: request.temperature }
      : {}),
    ...(quirks.takesSeed ? { seed: wireSeed(request.seed) } : {}),
    ...(quirks.takesEffort && request.effort ? { reasoning_effort: request.effort } : {}),
    ...(schema ? responseFormat(schema, quirks) : {}),
    ...(tools?.length
      ? { tools: tools.map((tool) => wireTool(tool, names.toolToWire(tool.name))) }
      : {}),
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

function responseFormat(
  schema: JsonSchema,
  { schemaForm }: Quirks,
): Pick<OpenAiChatBody, 'response_format'> {
  switch (schemaForm) {
    case 'json_schema': {
      const wire = toWireSchema(schema);
      const json_schema = { name: 'answer', strict: isStrict(wire), schema: wire };
      return { response_format: { type: 'json_schema', json_schema } };
    }
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'prompt':
      return {};
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

function wireMessage(message: Message, manner: Manner): WireMessage {
  const { names } = manner;
  switch (message.role) {
    case 'system':
      return { role: message.role, content: message.content };
    case 'user':
      return { role: message.role, content: userContent(message) } as WireMessage;
    case 'assistant':
      return wireAssistant(message, manner);
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: names.idToWire(message.toolCallId),
        name: names.toolToWire(message.toolName),
        content: message.content,
      };
  }
}

/** Text without images, in the form that every server accepts. */
function userContent({
  content,
  images = [],
}: Extract<Message, { role: 'user' }>): string | UserPart[] {
  if (images.length === 0) return content;
  return [
    { type: 'text', text: content },
    ...images.map(({ mediaType, data }) => ({
      type: 'image_url' as const,
      image_url: { url: `data:${mediaType};base64,${data}` },
    })),
  ];
}

function wireAssistant(
  message: Extract<Message, { role: 'assistant' }>,
  { quirks, names, provider }: Manner,
): WireAssistant {
  const { opaque, thinking, toolCalls = [] } = message;
  const own =
    opaque?.provider === provider ? OpaqueBlocks.safeParse(opaque.blocks).data : undefined;
  return {
    role: 'assistant',
    content: message.content,
    ...(quirks.wantsThinking && thinking ? { reasoning_content: thinking } : {}),
    ...(own?.reasoning_details ? { reasoning_details: own.reasoning_details } : {}),
    ...(toolCalls.length > 0
      ? {
          tool_calls: toolCalls.map((call) => ({
            id: names.idToWire(call.id),
            type: 'function',
            function: { name: names.toolToWire(call.name), arguments: JSON.stringify(call.args) },
            ...(own?.extra_content?.[call.id] ? { extra_content: own.extra_content[call.id] } : {}),
          })),
        }
      : {}),
  };
}
