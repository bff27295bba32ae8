/** The arguments of a tool as a schema that can be shown and checked. Pure. */
import * as z from 'zod';
import { isRecord } from '../../lib/json-value.ts';
import { lazily } from '../../lib/lazily.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';

export type CallArgs = { readonly [name: string]: unknown };

export type ParsedArgs<Parsed> =
  | { readonly ok: true; readonly args: Parsed }
  /** One sentence per fault, starting with the argument's name if it is known. */
  | { readonly ok: false; readonly faults: readonly string[] };

export interface ArgsSchema<Parsed = CallArgs> {
  /** Describes the arguments as they are given: an argument with a default is not required. */
  readonly jsonSchema: JsonSchema;
  /** The arguments with defaults filled in, or their faults. Throws what a check of the embedding program throws. */
  parse(args: CallArgs): ParsedArgs<Parsed>;
}

/** For a tool written here. An argument that the schema does not know is a fault. */
export function zodSchema<Schema extends z.ZodObject>(schema: Schema): ArgsSchema<z.infer<Schema>> {
  const strict = lazily(() => schema.strict());
  const json = lazily(() => z.toJSONSchema(schema, { io: 'input' }) as JsonSchema);
  return {
    get jsonSchema() {
      return json();
    },
    parse: (args) => parseWith<z.infer<Schema>>(strict(), args),
  };
}

/** Zod's result for the arguments. */
export function parseWith<Parsed>(schema: z.ZodType, args: CallArgs): ParsedArgs<Parsed> {
  const parsed = schema.safeParse(args);
  if (parsed.success) return { ok: true, args: parsed.data as Parsed };
  const faults = parsed.error.issues.map((issue) =>
    issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`,
  );
  return { ok: false, faults };
}

/** Keywords whose value is one schema, schemas by name, or a list of schemas. */
const ONE = new Set(['items', 'additionalProperties', 'contains', 'not']);
const NAMED = new Set(['properties', '$defs', 'definitions']);
const MANY = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);

/** The schema without some keywords at any depth; property names are not keywords. */
export function withoutKeywords(schema: JsonSchema, leftOut: ReadonlySet<string>): JsonSchema {
  const within = (value: unknown): unknown =>
    isRecord(value) ? withoutKeywords(value, leftOut) : value;
  const kept = Object.entries(schema).filter(([keyword]) => !leftOut.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (ONE.has(keyword)) return [keyword, within(value)];
      if (MANY.has(keyword) && Array.isArray(value)) return [keyword, value.map(within)];
      if (NAMED.has(keyword) && isRecord(value)) {
        const named = Object.entries(value).map(([name, one]) => [name, within(one)] as const);
        return [keyword, Object.fromEntries(named)];
      }
      return [keyword, value];
    }),
  );
}
