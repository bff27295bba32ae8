// A schema for the whole answer, as the API takes it, and the way back; pure.
import type { JsonSchema } from '../../schema/model/turn.ts';
import { toWireSchema } from '../wire/wire-schema.ts';

/** What the API's own grammar does not know; zod checks it later. */
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
  /** The text of an answer without what was put around it; as it is where it cannot be read. */
  unwrap(text: string): string;
  /** False where the text can only be shown once it is whole. */
  readonly isPlain: boolean;
}

/** The root is always one object: a choice between several is put into one. */
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
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && WRAPPER in value ? JSON.stringify(value[WRAPPER]) : text;
  } catch {
    return text;
  }
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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
