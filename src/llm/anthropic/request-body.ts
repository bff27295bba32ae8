// Pure: translates a neutral request into the body of /v1/messages; deterministic to the byte.

import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { Effort } from '../../schema/config.ts';
import type { ModelRequest } from '../../schema/model/turn.ts';
import { ANSWER_TOOL, FORMER_TOOL } from '../wire/answer-words.ts';
import { toWireParameters } from '../wire/wire-schema.ts';
import { type AnswerSchema, answerSchema } from './answer-schema.ts';
import { type AnthropicMessage, conversationOf } from './conversation.ts';
import type { ModelFacts, ThinkingMode } from './models.ts';
import { type AnthropicNames, wireNames } from './wire-names.ts';

/** The form of a request; a part that a server refuses is left out of the next one. */
export interface RequestShape {
  /** How an answer is held to a schema: by the API's own feature, or as the input of a tool. */
  readonly answerBy: 'schema' | 'tool';
  readonly mayMentionThinking: boolean;
  readonly mayMentionEffort: boolean;
  readonly withSigned: boolean;
}

export interface WireRequest {
  readonly body: MessageCreateParamsStreaming;
  readonly names: AnthropicNames;
  /** Null if no schema applies to the answer. */
  readonly answer: AnswerSchema | null;
  /** The tool whose input is the answer. */
  readonly answerTool: string | null;
}

/** Thinking counts towards the limit of an answer, so this much is added if a model thinks. */
const THINKING_ROOM = 8192;

/**
 * Sampling parameters are never sent: the API refuses them, even at their defaults. `messages` comes last, so that a
 * request begins with the bytes of the one before, cache marks apart.
 */
export function wireRequest(
  request: ModelRequest,
  facts: ModelFacts,
  thinking: ThinkingMode,
  shape: RequestShape,
): WireRequest {
  const names = wireNames(request);
  const answer = request.responseSchema ? answerSchema(request.responseSchema) : null;
  const answerTool = answer && shape.answerBy === 'tool' ? names.unused('answer') : null;
  const effort = shape.mayMentionEffort ? request.effort : undefined;
  const wanted = effort === undefined || facts.thinking === 'unknown' ? thinking : 'adaptive';
  const thinks = thinkingOf(facts, answerTool === null ? wanted : 'off', shape);
  const { model } = request;
  const { withSigned } = shape;
  const { system, turns } = conversationOf(request.messages, { model, names, withSigned });
  const systemBlocks: TextBlockParam[] = system ? [{ type: 'text', text: system }] : [];
  const tools = [...wireTools(request, names), ...answerTools(answer, answerTool)];
  const marked = withCacheMarks(tools, systemBlocks, turns);
  const body: MessageCreateParamsStreaming = {
    model,
    max_tokens: Math.min(
      request.maxOutputTokens + (thinks.isOn ? THINKING_ROOM : 0),
      facts.longestAnswer ?? Number.POSITIVE_INFINITY,
    ),
    stream: true,
    ...thinks.field,
    ...outputConfig(answerTool === null ? answer : null, effort),
    ...(tools.length > 0 ? { tools: marked.tools } : {}),
    ...toolChoice(request, tools, answerTool),
    ...(system ? { system: marked.system } : {}),
    messages: marked.turns,
  };
  return { body, names, answer, answerTool };
}

function outputConfig(
  answer: AnswerSchema | null,
  effort: Effort | undefined,
): Pick<MessageCreateParamsStreaming, 'output_config'> {
  if (answer === null && effort === undefined) return {};
  const format = answer && ({ type: 'json_schema', schema: answer.schema } as const);
  return { output_config: { ...(effort ? { effort } : {}), ...(format ? { format } : {}) } };
}

function thinkingOf({ thinking: kind }: ModelFacts, wanted: ThinkingMode, shape: RequestShape) {
  const isOn = kind === 'always' || (wanted === 'adaptive' && kind !== 'none');
  if (!shape.mayMentionThinking) return { isOn, field: {} };
  if (wanted === 'adaptive' && kind !== 'none')
    return { isOn, field: { thinking: { type: 'adaptive' } as const } };
  if (kind === 'switchable') return { isOn, field: { thinking: { type: 'disabled' } as const } };
  return { isOn, field: {} };
}

/** A tool that was called earlier must be declared, even if none may be called now. */
function wireTools(request: ModelRequest, names: AnthropicNames): Tool[] {
  const declared = (request.tools ?? []).map(
    (tool): Tool => ({
      name: names.toWire(tool.name),
      description: tool.description,
      input_schema: { ...toWireParameters(tool.parameters), type: 'object' },
    }),
  );
  const earlier = names.undeclared.map(
    (name): Tool => ({
      name: names.toWire(name),
      description: FORMER_TOOL,
      input_schema: { type: 'object', properties: {} },
    }),
  );
  return [...declared, ...earlier];
}

function answerTools(answer: AnswerSchema | null, name: string | null): Tool[] {
  if (answer === null || name === null) return [];
  return [
    {
      name,
      description: ANSWER_TOOL,
      input_schema: { ...answer.schema, type: 'object' },
    },
  ];
}

function toolChoice(
  request: ModelRequest,
  tools: readonly Tool[],
  answerTool: string | null,
): Pick<MessageCreateParamsStreaming, 'tool_choice'> {
  if (answerTool !== null) {
    const tool_choice = {
      type: 'tool',
      name: answerTool,
      disable_parallel_tool_use: true,
    } as const;
    return { tool_choice };
  }
  return tools.length > 0 && !request.tools?.length ? { tool_choice: { type: 'none' } } : {};
}

interface Prompt {
  readonly tools: Tool[];
  readonly system: TextBlockParam[];
  readonly turns: AnthropicMessage[];
}

const MARK = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Three marks; the API accepts four. The mark before the newest turn is where the last request ended: the API looks
 * back only 20 blocks from a mark, and one answer may contain more calls than that. Tools come before the system
 * prompt, so one mark there covers both.
 */
function withCacheMarks(
  tools: readonly Tool[],
  system: readonly TextBlockParam[],
  turns: readonly AnthropicMessage[],
): Prompt {
  const users = turns.flatMap((turn, index) => (turn.role === 'user' ? [index] : []));
  const marked = new Set(users.slice(-2));
  return {
    tools: system.length === 0 ? markLast(tools) : [...tools],
    system: markLast(system),
    turns: turns.map((turn, index) =>
      marked.has(index) ? { ...turn, content: markLast(turn.content) } : turn,
    ),
  };
}

/** The last block of a user turn is a text or a result; both accept a mark. */
function markLast<Block extends ContentBlockParam | Tool>(blocks: readonly Block[]): Block[] {
  return blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, ...MARK } : block,
  );
}
