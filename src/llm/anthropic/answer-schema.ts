// Pure: adapts a schema for the whole answer to the API, and maps the answer back.
import { isRecord, jsonIn } from '../../lib/json-value.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import { toWireSchema } from '../wire/wire-schema.ts';

/** Keywords that the API's own grammar does not know; zod checks them later. */
const UNSUPPORTED = new Set([
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'maxItems',
  'minProperties',
  'maxProperties',
]);

const WRAPPER = 'answer';

export interface AnswerSchema {
  readonly schema: JsonSchema;
  /** The answer without its wrapper; unchanged if it cannot be parsed. */
  unwrap(text: string): string;
  /** False if the text can only be shown once it is complete. */
  readonly isPlain: boolean;
}

/** The root must be one object: a choice between several is wrapped in one. */
export function answerSchema(wanted: JsonSchema): AnswerSchema {
  const schema = strict(toWireSchema(wanted)) as JsonSchema;
  if (schema.type === 'object') return { schema, unwrap: (text) => text, isPlain: true };
  return {
    schema: {
      type: 'object',
      properties: { [WRAPPER]: schema },
      required: [WRAPPER],
      additionalProperties: false,
    },
    unwrap,
    isPlain: false,
  };
}

function unwrap(text: string): string {
  const value = jsonIn(text);
  return isRecord(value) && WRAPPER in value ? JSON.stringify(value[WRAPPER]) : text;
}

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (!isRecord(node)) return node;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (UNSUPPORTED.has(keyword) || (keyword === 'minItems' && Number(value) > 1)) continue;
    if (keyword === 'properties' && isRecord(value)) {
      const entries = Object.entries(value).map(([name, child]) => [name, strict(child)]);
      result.properties = Object.fromEntries(entries);
    } else {
      result[keyword] = keyword === 'enum' || keyword === 'required' ? value : strict(value);
    }
  }
  if (result.type === 'object') {
    result.properties ??= {};
    result.additionalProperties = false;
  }
  return result;
}
