/** The arguments of a tool as the JSON schema a model is shown. Pure. */
import type { JsonSchema } from '../schema/turn.ts';
import { type ArgsSchema, withoutKeywords } from './args-schema.ts';
import type { Tool } from './contract.ts';

/** Made once for each schema: the model is asked, and its calls are read, with the same words. */
const made = new WeakMap<ArgsSchema, JsonSchema>();

export function parametersOf(tool: Tool): JsonSchema {
  const known = made.get(tool.args);
  if (known) return known;
  const schema = withoutKeywords(tool.args.jsonSchema, LEFT_OUT);
  made.set(tool.args, schema);
  return schema;
}

/** What small models and constrained decoders do without; it is checked all the same. */
const LEFT_OUT = new Set([
  '$schema',
  'default',
  'additionalProperties',
  'propertyNames',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
]);
