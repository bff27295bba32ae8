// Pure: translates a neutral request into the body of /api/chat; deterministic to the byte.

import type { Effort } from '../../schema/config.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { JsonSchema, ModelRequest } from '../../schema/model/turn.ts';
import { answeredCalls } from '../wire/answered-calls.ts';
import { toWireSchema } from '../wire/wire-schema.ts';
import { type WireTool, wireSeed, wireTool } from '../wire/wire-tool.ts';

/** What a model does with `think`; it is always sent, because unset means "on" since 0.12.4. */
export type ThinkSupport = 'none' | 'switchable' | 'always';

export interface OllamaChatBody {
  readonly model: string;
  readonly stream: true;
  readonly think?: boolean | Effort;
  readonly truncate: false;
  readonly shift: false;
  readonly keep_alive: string | number;
  readonly options: {
    readonly num_ctx: number;
    readonly num_predict: number;
    readonly temperature?: number;
    readonly seed: number;
    readonly repeat_penalty?: number;
  };
  readonly format?: JsonSchema;
  readonly tools?: WireTool[];
  readonly messages: WireMessage[];
}

interface WireMessage {
  readonly role: Message['role'];
  readonly content: string;
  /** In base64. */
  readonly images?: string[];
  readonly thinking?: string;
  readonly tool_calls?: {
    readonly id: string;
    readonly function: {
      readonly index: number;
      readonly name: string;
      readonly arguments: Record<string, unknown>;
    };
  }[];
  readonly tool_name?: string;
  readonly tool_call_id?: string;
}

/**
 * `truncate` and `shift` are off: the server must report a full window instead of silently dropping messages or the
 * middle of the text.
 */
export function chatBody(
  request: ModelRequest,
  thinking: ThinkSupport,
  keepAlive: string | number,
  penalty: number | null = null,
): OllamaChatBody {
  return {
    model: request.model,
    stream: true,
    ...thinkField(thinking, request.effort),
    truncate: false,
    shift: false,
    keep_alive: keepAlive,
    options: {
      num_ctx: request.contextWindow,
      num_predict: request.maxOutputTokens,
      ...(request.temperature === null ? {} : { temperature: request.temperature }),
      seed: wireSeed(request.seed),
      ...(penalty === null ? {} : { repeat_penalty: penalty }),
    },
    ...(request.responseSchema ? { format: toWireSchema(request.responseSchema) } : {}),
    ...(request.tools?.length
      ? { tools: request.tools.map((tool) => wireTool(tool, tool.name)) }
      : {}),
    messages: answeredCalls(request.messages).map((message) => wireMessage(message, thinking)),
  };
}

/** gpt-oss cannot turn thinking off; little thinking leaves more of `num_predict` for the answer. */
function thinkField(thinking: ThinkSupport, effort?: Effort): { think?: boolean | Effort } {
  switch (thinking) {
    case 'none':
      return {};
    case 'switchable':
      return { think: effort === 'medium' || effort === 'high' };
    case 'always':
      return { think: effort ?? 'low' };
  }
}

/** Sends both ways of naming the call that a result belongs to: templates use one or the other. */
function wireMessage(message: Message, thinking: ThinkSupport): WireMessage {
  switch (message.role) {
    case 'system':
      return { role: message.role, content: message.content };
    case 'user':
      return {
        role: message.role,
        content: message.content,
        ...(message.images?.length ? { images: message.images.map(({ data }) => data) } : {}),
      };
    case 'assistant':
      return {
        role: 'assistant',
        content: message.content,
        ...(message.thinking && thinking !== 'none' ? { thinking: message.thinking } : {}),
        ...(message.toolCalls?.length
          ? {
              tool_calls: message.toolCalls.map((call, index) => ({
                id: call.id,
                function: { index, name: call.name, arguments: call.args },
              })),
            }
          : {}),
      };
    case 'tool':
      return {
        role: 'tool',
        tool_name: message.toolName,
        tool_call_id: message.toolCallId,
        content: message.content,
      };
  }
}
