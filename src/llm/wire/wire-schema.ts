// Pure: reduces a JSON Schema to what every backend's grammar and tool format understand.
import { isRecord } from '../../lib/json-value.ts';
import { decoded } from '../../lib/text/addresses.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';

/** Keywords that llama.cpp's grammar rejects or that servers drop silently; zod checks them later. */
const DROPPED = new Set([
  '$schema',
  '$id',
  '$defs',
  'definitions',
  'pattern',
  'default',
  'examples',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'multipleOf',
  'uniqueItems',
]);

const KNOWN_FORMATS = new Set(['uuid', 'date', 'time', 'date-time']);

/** llama.cpp refuses a grammar with more than 2,000 repetitions. */
const MAX_REPETITIONS = 2000;

/** Nodes that all references together add; definitions that use each other twice would double with every level. */
const MAX_INLINED = 2000;

interface Scope {
  readonly root: JsonSchema;
  inlined: number;
}

/**
 * A schema that can be sent as `format` or as a tool's parameters: references are inlined (a recursive one and one too
 * many become "anything"), `oneOf` becomes `anyOf`, `const` a one-value `enum`, tuples become lists, and bounds that
 * break a grammar are removed. Key order is kept.
 */
export function toWireSchema(schema: JsonSchema): JsonSchema {
  const simplified = simplify(schema, { root: schema, inlined: 0 }, []);
  return isRecord(simplified) ? simplified : {};
}

/** The same for a tool, which always has an object with properties at its root. */
export function toWireParameters(schema: JsonSchema): JsonSchema {
  const { type: _, properties, ...rest } = toWireSchema(schema);
  return { type: 'object', properties: isRecord(properties) ? properties : {}, ...rest };
}

function simplify(node: unknown, scope: Scope, open: readonly string[]): unknown {
  if (typeof node === 'boolean') return {};
  if (!isRecord(node)) return node;
  if (open.length > 0) scope.inlined += 1;
  if (typeof node.$ref === 'string') return followReference(node.$ref, scope, open);
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(node)) {
    if (DROPPED.has(keyword) || isUselessBound(keyword, value)) continue;
    if (keyword === 'properties' && isRecord(value)) {
      result.properties = mapValues(value, (child) => simplify(child, scope, open));
    } else if (keyword === 'anyOf' || keyword === 'oneOf') {
      result.anyOf = simplifyAll(value, scope, open);
    } else if (keyword === 'allOf') {
      result.allOf = simplifyAll(value, scope, open);
    } else if (keyword === 'const') {
      result.enum = [value];
    } else if (keyword === 'prefixItems') {
      result.items = { anyOf: simplifyAll(value, scope, open) };
    } else if (keyword === 'items') {
      if (isRecord(value)) result.items = simplify(value, scope, open);
    } else if (keyword === 'additionalProperties' && isRecord(value)) {
      result.additionalProperties = simplify(value, scope, open);
    } else {
      result[keyword] = value;
    }
  }
  return result;
}

function isUselessBound(keyword: string, value: unknown): boolean {
  if (keyword === 'format') return typeof value !== 'string' || !KNOWN_FORMATS.has(value);
  if (typeof value !== 'number') return false;
  if (/^(min|max)(Length|Items|Properties)$/.test(keyword)) return value > MAX_REPETITIONS;
  if (/^(exclusive)?(minimum|maximum)$/i.test(keyword))
    return Math.abs(value) >= Number.MAX_SAFE_INTEGER;
  return false;
}

function followReference(reference: string, scope: Scope, open: readonly string[]): unknown {
  if (!reference.startsWith('#/') || open.includes(reference)) return {};
  if (scope.inlined >= MAX_INLINED) return {};
  let target: unknown = scope.root;
  for (const step of reference.slice(2).split('/')) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    target = isRecord(target) ? target[key] : undefined;
  }
  return simplify(target ?? {}, scope, [...open, reference]);
}

const simplifyAll = (value: unknown, scope: Scope, open: readonly string[]): unknown[] =>
  Array.isArray(value) ? value.map((child) => simplify(child, scope, open)) : [];

const mapValues = (
  record: Record<string, unknown>,
  change: (value: unknown) => unknown,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
