// Pure: translates a neutral request into the body of /api/chat; deterministic to the byte.

import { defined } from '../../lib/defined.ts';
import type { Effort } from '../../schema/config.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelRequest } from '../../schema/model/turn.ts';
import { answeredCalls } from '../wire/answered-calls.ts';
import { toWireSchema } from '../wire/wire-schema.ts';
import { wireSeed, wireTool } from '../wire/wire-tool.ts';

/** What a model does with `think`; it is always sent, because unset means "on" since 0.12.4. */
export type ThinkSupport = 'none' | 'switchable' | 'always';

/**
 * `truncate` and `shift` are off: the server must report a full window instead of silently dropping messages or the
 * middle of the text.
 */
export function chatBody(
  request: ModelRequest,
  thinking: ThinkSupport,
  keepAlive: string | number,
  penalty: number | null = null,
) {
  const { tools, responseSchema } = request;
  return {
    model: request.model,
    stream: true as const,
    ...defined({ think: thinkField(thinking, request.effort) }),
    truncate: false,
    shift: false,
    keep_alive: keepAlive,
    options: {
      num_ctx: request.contextWindow,
      num_predict: request.maxOutputTokens,
      ...defined({ temperature: request.temperature ?? undefined }),
      seed: wireSeed(request.seed),
      ...defined({ repeat_penalty: penalty ?? undefined }),
    },
    ...defined({
      format: responseSchema && toWireSchema(responseSchema),
      tools: tools?.length ? tools.map((tool) => wireTool(tool, tool.name)) : undefined,
    }),
    messages: answeredCalls(request.messages).map((message) => wireMessage(message, thinking)),
  };
}

/** gpt-oss cannot turn thinking off; little thinking leaves more of `num_predict` for the answer. */
function thinkField(thinking: ThinkSupport, effort?: Effort): boolean | Effort | undefined {
  switch (thinking) {
    case 'none':
      return undefined;
    case 'switchable':
      return effort === 'medium' || effort === 'high';
    case 'always':
      return effort ?? 'low';
  }
}

/** Sends both ways of naming the call that a result belongs to: templates use one or the other. */
function wireMessage(message: Message, thinking: ThinkSupport) {
  const { role, content } = message;
  switch (role) {
    case 'system':
      return { role, content };
    case 'user': {
      const images = (message.images ?? []).map(({ data }) => data);
      return { role, content, ...(images.length > 0 ? { images } : {}) };
    }
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(({ id, name, args }, index) => ({
        id,
        function: { index, name, arguments: args },
      }));
      return {
        role,
        content,
        ...(message.thinking && thinking !== 'none' ? { thinking: message.thinking } : {}),
        ...(calls.length > 0 ? { tool_calls: calls } : {}),
      };
    }
    case 'tool':
      return { role, tool_name: message.toolName, tool_call_id: message.toolCallId, content };
  }
}
