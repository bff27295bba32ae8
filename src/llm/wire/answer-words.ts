/**
 * How to ask for an answer in a given form if a server cannot enforce one; and descriptions of tools that stand for it.
 */
import type { JsonSchema } from '../../schema/model/turn.ts';

export const schemaPrompt = (schema: JsonSchema): string =>
  `Answer with one JSON object and nothing else: no prose, no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`;

/** Describes the tool whose input is the answer. */
export const ANSWER_TOOL = 'Takes your whole answer.';

/** Describes a tool that was called earlier in the conversation, so that it must be declared. */
export const FORMER_TOOL = 'Was used earlier and is not available now.';
