/**
 * Schemas of any library, by the two interfaces that libraries share (standardschema.dev): validation and, if
 * the library supports it, JSON Schema. No class of an object is tested here.
 */

import { isRecord } from '../../lib/json-value.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';

export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/** What zod, valibot and arktype have in common: https://standardschema.dev. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): SchemaResult<Output> | Promise<SchemaResult<Output>>;
    readonly jsonSchema?: {
      input(options: { readonly target: 'draft-2020-12' }): { readonly [keyword: string]: unknown };
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export const isStandardSchema = (value: unknown): value is StandardSchema => {
  // Some libraries' schemas are functions.
  const isHolder = typeof value === 'object' || typeof value === 'function';
  if (!isHolder || value === null || !('~standard' in value)) return false;
  const standard: unknown = value['~standard'];
  return isRecord(standard) && typeof standard.validate === 'function';
};

/** `null` if the library does not support it. */
export function jsonSchemaOf(schema: StandardSchema): JsonSchema | null {
  const converted = schema['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
  return isRecord(converted) ? converted : null;
}

/** One sentence per fault, starting with the argument's name. */
export const faultsOf = (issues: readonly SchemaIssue[]): readonly string[] =>
  issues.map(({ message, path = [] }) => {
    const keys = path.map((part) => String(typeof part === 'object' ? part.key : part));
    return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
  });
