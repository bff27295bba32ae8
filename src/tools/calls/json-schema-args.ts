/**
 * Arguments described by JSON Schema. Parsing one needs all of zod, so this is a separate file that is loaded
 * only for such tools. Pure.
 */
import * as z from 'zod';
import { lazily } from '../../lib/lazily.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import { type Args, type ArgsSchema, parseWith, withoutKeywords } from './args-schema.ts';
import { isQuickToCheck } from './references.ts';

/**
 * For tools known only at run time, from an MCP server or a plugin. Parts that zod cannot handle (`if`, `not`,
 * external references) or that take too long to check are left for the tool to check. So are regular expressions, because nobody has reviewed
 * them and they would run on text from a model.
 * @param schema a JSON Schema of type `object`, draft 4 to 2020-12
 */
export function jsonSchema(schema: JsonSchema): ArgsSchema {
  const checked = lazily(() => readJsonSchema(withoutKeywords(schema, REGULAR_EXPRESSIONS)));
  return { jsonSchema: schema, parse: (args) => parseWith<Args>(checked(), args) };
}

const REGULAR_EXPRESSIONS = new Set(['pattern', 'patternProperties', 'propertyNames']);

function readJsonSchema(schema: JsonSchema): z.ZodType {
  try {
    if (!isQuickToCheck(schema)) return z.record(z.string(), z.unknown());
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.record(z.string(), z.unknown());
  }
}
