/** The arguments of a tool as the JSON schema a model is shown. Pure. */
import { lazily } from '../../lib/lazily.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import type { Tool } from '../contract.ts';
import { type ArgsSchema, withoutKeywords } from './args-schema.ts';

declare const TARDIGRADE_PARAMETERS: string;

/** Of the tools that are written here, by name, as the build puts them in: making them takes a start much longer. */
const ofBuild = lazily(
  () =>
    new Map<string, JsonSchema>(
      typeof TARDIGRADE_PARAMETERS === 'string'
        ? Object.entries(JSON.parse(TARDIGRADE_PARAMETERS) as { [tool: string]: JsonSchema })
        : [],
    ),
);

/** Made once for each schema: the model is asked, and its calls are read, with the same words. */
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
