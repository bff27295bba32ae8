/** A tool and its arguments on one line, as shown to a model after a wrong call. Pure. */

import { isRecord } from '../../lib/json-value.ts';
import type { Tool } from '../contract.ts';
import { parametersOf } from './parameters.ts';

const MAX_DEPTH = 4;

/**
 * `write_file {path: string, content: string, create_dirs?: boolean}`
 * @param leftOut arguments of it that its model was not told of
 */
export function callUsage(tool: Tool, leftOut: readonly string[] = []): string {
  const { properties, ...schema } = parametersOf(tool);
  if (!isRecord(properties)) return `${tool.name} ${objectType(schema, MAX_DEPTH)}`;
  const offered = Object.entries(properties).filter(([name]) => !leftOut.includes(name));
  const described = { ...schema, properties: Object.fromEntries(offered) };
  return `${tool.name} ${objectType(described, MAX_DEPTH)}`;
}

function objectType(schema: { readonly [key: string]: unknown }, depth: number): string {
  const { properties, required } = schema;
  if (!isRecord(properties)) return depth === MAX_DEPTH ? '{}' : 'object';
  const needed = new Set(Array.isArray(required) ? required : []);
  const fields = Object.entries(properties).map(
    ([name, property]) => `${name}${needed.has(name) ? '' : '?'}: ${typeOf(property, depth - 1)}`,
  );
  return `{${fields.join(', ')}}`;
}

/** In TypeScript notation: enum values, list items, object fields. */
function typeOf(schema: unknown, depth: number): string {
  if (!isRecord(schema) || depth === 0) return 'any';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return choices.map((one) => typeOf(one, depth - 1)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items, depth - 1)}[]`;
  if (schema.type === 'object') return objectType(schema, depth);
  return typeof schema.type === 'string' ? schema.type : 'any';
}
