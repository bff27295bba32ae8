/** The arguments of a tool as the JSON schema that a model is shown. Pure. */
import { lazily } from '../../lib/lazily.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import type { Tool } from '../contract.ts';
import { type ArgsSchema, withoutKeywords } from './args-schema.ts';

declare const TARDIGRADE_PARAMETERS: string;

/**
 * The schemas of built-in tools by name, inserted by the build, because generating them slows a start
 * considerably.
 */
const ofBuild = lazily(
  () =>
    new Map<string, JsonSchema>(
      typeof TARDIGRADE_PARAMETERS === 'string'
        ? Object.entries(JSON.parse(TARDIGRADE_PARAMETERS) as { [tool: string]: JsonSchema })
        : [],
    ),
);

/** Cached per schema, so that the model is asked and its calls are parsed with the same object. */
const made = new WeakMap<ArgsSchema, JsonSchema>();

export function parametersOf(tool: Tool): JsonSchema {
  const known = made.get(tool.args);
  if (known) return known;
  const isOurs = !tool.isVariant && tool.own === undefined && tool.server === undefined;
  const schema =
    (isOurs ? ofBuild().get(tool.name) : undefined) ??
    withoutKeywords(tool.args.jsonSchema, LEFT_OUT);
  made.set(tool.args, schema);
  return schema;
}

/** Keywords that small models and constrained decoders do not need; they are still checked. */
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
