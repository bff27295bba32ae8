// How a server without schemas is asked for an answer of one shape; pure.
import type { JsonSchema } from '../../schema/turn.ts';

export const schemaPrompt = (schema: JsonSchema): string =>
  `Answer with one JSON object and nothing else: no prose, no code fence. It must match this JSON Schema:\n${JSON.stringify(schema)}`;
