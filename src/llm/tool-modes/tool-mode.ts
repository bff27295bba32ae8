import type { ToolNames } from '../../schema/actions.ts';
import type { Message } from '../../schema/model/messages.ts';
import type { ModelQuestion } from '../../schema/model/question.ts';
import type { JsonSchema, ModelRequest, ToolDefinition } from '../../schema/model/turn.ts';
import type { Decoded } from '../../schema/records.ts';
import type { Judgement } from '../text-tool-calls/judge.ts';

export interface EncodeContext {
  readonly tools: readonly ToolDefinition[];
  readonly names: ToolNames;
  readonly planSchema: JsonSchema;
  briefSchema(): JsonSchema;
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
}

/** A file whose content is asked for. */
export interface ContentTarget {
  /** The file exists and contains more than white space. */
  readonly isFilled: boolean;
  /** True if a block with this language label cannot be the file's content. */
  isForeign?(label: string): boolean;
}

export interface DecodeContext {
  readonly tools: readonly ToolDefinition[];
  readonly names: ToolNames;
  /** The id for a call that came without one; the same for the same turn. */
  readonly callId: string;
  /** The tool that a call of this name means, and what prevents it from being carried out. */
  judge(name: string, args: Record<string, unknown>): Judgement;
  /** @param path as the question for its content names it */
  target(path: string): ContentTarget;
}

export type Encoded = Pick<ModelRequest, 'tools' | 'responseSchema' | 'maxOutputTokens'>;

/**
 * How an action is requested on the wire: encodes a question, decodes the answer, and knows nothing about plan, gates
 * or limits.
 */
export interface ToolModeCodec {
  encode(question: ModelQuestion, context: EncodeContext): Encoded;
  decode(
    question: ModelQuestion,
    reply: Extract<Message, { role: 'assistant' }>,
    context: DecodeContext,
  ): Decoded;
  /** What an answer that was cut off contains whole before the cut: calls, or nothing (`text`). */
  decodeCut(
    question: ModelQuestion,
    reply: Extract<Message, { role: 'assistant' }>,
    context: DecodeContext,
  ): Decoded;
  /** The conversation in the form of this mode, whichever mode it was held in. */
  conversation(messages: readonly Message[]): readonly Message[];
}

/** Tokens reserved for an answer: a whole file, a plan, or one action. */
export function outputTokens(question: ModelQuestion, contextWindow: number): number {
  const wanted = { brief: 512, plan: 2048, try: 2048, action: 4096, content: 4096 }[question.kind];
  return Math.min(wanted, Math.floor(contextWindow / 2));
}

/** A quarter of a large window: whole files in a call, several calls, and the model's thinking. */
export function roomyOutputTokens(question: ModelQuestion, contextWindow: number): number {
  const most = { brief: 8192, plan: 8192, try: 8192, action: 32_768, content: 32_768 }[
    question.kind
  ];
  const quarter = Math.min(most, Math.floor(contextWindow / 4));
  return Math.max(outputTokens(question, contextWindow), quarter);
}
