/**
 * Arguments that a JSON Schema describes. Reading one takes all of zod, so it is a file of its own, which
 * only those load who have such a tool. Pure.
 */
import * as z from 'zod';
import { lazily } from '../../lib/lazily.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import { type Args, type ArgsSchema, parseWith, withoutKeywords } from './args-schema.ts';

/**
 * Of a tool that is known only at run time: an MCP server's, a plugin's. What zod cannot read (`if`,
 * `not`, references to elsewhere) is left to the tool itself to check. So are regular expressions:
 * nobody here has looked at them, and the texts they would run on come from a model.
 * @param schema a JSON Schema of type `object`, draft 4 to 2020-12
 */
export function jsonSchema(schema: JsonSchema): ArgsSchema {
  const checked = lazily(() => readJsonSchema(withoutKeywords(schema, REGULAR_EXPRESSIONS)));
  return { jsonSchema: schema, parse: (args) => parseWith<Args>(checked(), args) };
}

const REGULAR_EXPRESSIONS = new Set(['pattern', 'patternProperties', 'propertyNames']);

function readJsonSchema(schema: JsonSchema): z.ZodType {
  try {
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.record(z.string(), z.unknown());
  }
}
