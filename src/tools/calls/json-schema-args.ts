/**
 * Arguments described by JSON Schema. Parsing one needs all of zod, so this is a separate file that is loaded
 * only for such tools. Pure.
 */
import * as z from 'zod';
import { isRecord } from '../../lib/json-value.ts';
import { lazily } from '../../lib/lazily.ts';
import type { JsonSchema } from '../../schema/model/turn.ts';
import { type ArgsSchema, type CallArgs, parseWith, withoutKeywords } from './args-schema.ts';

/**
 * For tools known only at run time, from an MCP server or a plugin. Parts that zod cannot handle (`if`,
 * `not`, external references) or that take too long to check are left for the tool to check. So are regular
 * expressions, because nobody has reviewed them and they would run on text from a model.
 * @param schema a JSON Schema of type `object`, draft 4 to 2020-12
 */
export function jsonSchema(schema: JsonSchema): ArgsSchema {
  const checked = lazily(() => readJsonSchema(withoutKeywords(schema, REGULAR_EXPRESSIONS)));
  return { jsonSchema: schema, parse: (args) => parseWith<CallArgs>(checked(), args) };
}

const REGULAR_EXPRESSIONS = new Set(['pattern', 'patternProperties', 'propertyNames']);

function readJsonSchema(schema: JsonSchema): z.ZodType {
  try {
    if (!isQuickToCheck(schema)) return z.record(z.string(), z.unknown());
    return z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
  } catch {
    return z.record(z.string(), z.unknown());
  }
}

/** Under these keywords, every schema is tried on the same value. */
const KINDS = new Set(['anyOf', 'oneOf', 'allOf']);
/** Under these keywords, a schema is about a part of the value. */
const PARTS = new Set(['properties', 'additionalProperties', 'items', 'prefixItems', 'contains']);
const DEFINITIONS = new Set(['$defs', 'definitions']);

/**
 * The most schemas that all references together may add. Two references in each definition double the number
 * at every level.
 */
const MAX_REFERRED = 2000;

/**
 * True if a check takes time in proportion to the arguments. A cycle is allowed only from a value to its parts and
 * without a choice: two ways around it would double with every level of the arguments.
 */
function isQuickToCheck(root: JsonSchema): boolean {
  let referred = 0;
  const isFine = (node: unknown, way: readonly string[]): boolean => {
    if (Array.isArray(node)) return node.every((one) => isFine(one, way));
    if (!isRecord(node)) return true;
    if (way.some(isReference)) referred += 1;
    if (referred > MAX_REFERRED) return false;
    return Object.entries(node).every(([keyword, value]) => {
      const isName = way.at(-1) === 'properties';
      if (!isName && keyword === '$ref' && typeof value === 'string') return follow(value, way);
      if (!isName && DEFINITIONS.has(keyword)) return true;
      return isFine(value, [...way, isName ? '' : keyword]);
    });
  };
  const follow = (reference: string, way: readonly string[]): boolean => {
    const [place = '', name = ''] = reference.slice(1).split('/').filter(Boolean);
    const step = `#${place}/${name}`;
    const before = place === '' ? 0 : way.indexOf(step);
    if (before < 0) return isFine(targetOf(place, name, root), [...way, step]);
    const cycle = way.slice(before);
    return cycle.some((one) => PARTS.has(one)) && !cycle.some((one) => KINDS.has(one));
  };
  return isFine(root, []);
}

const isReference = (step: string): boolean => step.startsWith('#');

/** `undefined`: nothing there, or a place to which no reference is followed. */
function targetOf(place: string, name: string, root: JsonSchema): unknown {
  const named = DEFINITIONS.has(place) ? root[place] : undefined;
  return isRecord(named) ? named[name.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined;
}
