/** The arguments of a tool as the JSON schema a model is shown. Pure. */
import { z } from 'zod';
import type { JsonSchema } from '../schema/turn.ts';
import type { Tool } from './contract.ts';

/** Made once for each schema: the model is asked, and its calls are read, with the same words. */
const made = new WeakMap<z.ZodObject, JsonSchema>();

export function parametersOf(tool: Tool): JsonSchema {
  const known = made.get(tool.args);
  if (known) return known;
  const schema = plain(z.toJSONSchema(tool.args, { io: 'input' }) as JsonSchema);
  made.set(tool.args, schema);
  return schema;
}

const strict = new WeakMap<z.ZodObject, z.ZodObject>();

/** What a call must match: an argument that a tool does not know is a fault. */
export function strictArgsOf(tool: Tool): z.ZodObject {
  const known = strict.get(tool.args) ?? tool.args.strict();
  strict.set(tool.args, known);
  return known;
}

/** What small models and constrained decoders do without; zod checks it all the same. */
const LEFT_OUT = new Set([
  '$schema',
  'default',
  'additionalProperties',
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

/** Keywords are left out of schemas, not names out of `properties`. */
function plain(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword]) => !LEFT_OUT.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'properties' && isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, property]) => [
              name,
              isObject(property) ? plain(property) : property,
            ]),
          )
        : keyword === 'items' && isObject(value)
          ? plain(value)
          : value,
    ]),
  );
}

export const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
