/**
 * Copies a value that fits a schema as zod would: without unknown keys, in the schema's order, with defaults
 * filled in.
 */
import type * as z from 'zod';
import { type Def, defOf, type Fits, fitsOf, OWN_ANSWER, type Plain } from './fits.ts';

export type CopyValue = (value: unknown) => unknown;
type Schema = z.ZodType;

const SAME: CopyValue = (value) => value;
const VALUES = new Set(['string', 'number', 'boolean', 'unknown', 'literal', 'enum']);

/**
 * Copies values that fit; the result for any other value is unspecified.
 * @param fits the functions made so far, by schema
 */
export function copyOf(
  schema: Schema,
  fits: Map<Schema, Fits>,
  made = new Map<Schema, CopyValue>(),
): CopyValue {
  const known = made.get(schema);
  if (known) return known;
  let copy: CopyValue | null = null;
  const lazily: CopyValue = (value) => {
    copy ??= makerOf(schema, fits, made) ?? asked(schema);
    return copy(value);
  };
  made.set(schema, lazily);
  return lazily;
}

const asked =
  (schema: Schema): CopyValue =>
  (value) =>
    schema.parse(value, OWN_ANSWER);

/** `null` if only zod knows the schema. */
function makerOf(
  schema: Schema,
  fits: Map<Schema, Fits>,
  made: Map<Schema, CopyValue>,
): CopyValue | null {
  const def = defOf(schema);
  if (def.coerce) return null;
  const inner = (schema: Schema): CopyValue => copyOf(schema, fits, made);
  // A check that changes the value is left to zod.
  if (def.checks?.some(({ _zod: { def } }) => def.check === 'overwrite')) return null;
  if (VALUES.has(def.type)) return SAME;
  switch (def.type) {
    case 'lazy':
      return def.getter === undefined ? null : inner(def.getter());
    case 'optional':
    case 'nullable':
      return def.innerType === undefined ? null : present(inner(def.innerType));
    case 'default':
      return def.innerType === undefined ? null : filled(def, inner(def.innerType));
    // Only zod handles `catch`.
    case 'catch':
      return def.innerType === undefined
        ? null
        : caught(fitsOf(def.innerType, fits), inner(def.innerType), asked(schema));
    case 'array':
      return def.element === undefined ? null : listed(inner(def.element));
    case 'record':
      return def.valueType === undefined ? null : named(inner(def.valueType));
    case 'object':
      return fields(def, inner);
    case 'union':
      return either(def.options ?? [], fits, inner);
    default:
      return null;
  }
}

const present =
  (copy: CopyValue): CopyValue =>
  (value) =>
    value === undefined || value === null ? value : copy(value);

const filled =
  (def: Def & { readonly defaultValue?: unknown }, copy: CopyValue): CopyValue =>
  (value) =>
    value === undefined ? def.defaultValue : copy(value);

const caught =
  (fits: Fits, copy: CopyValue, otherwise: CopyValue): CopyValue =>
  (value) =>
    fits(value) ? copy(value) : otherwise(value);

const listed =
  (copy: CopyValue): CopyValue =>
  (value) =>
    (value as readonly unknown[]).map(copy);

const named =
  (copy: CopyValue): CopyValue =>
  (value) => {
    const result: { [key: string]: unknown } = {};
    for (const [key, one] of Object.entries(value as Plain))
      if (key !== '__proto__') result[key] = copy(one);
    return result;
  };

function fields({ shape = {}, catchall }: Def, inner: (schema: Schema) => CopyValue): CopyValue {
  const keys = Object.entries(shape).map(([key, schema]) => ({ key, copy: inner(schema) }));
  const keepsRest = catchall !== undefined;
  return (value) => {
    const source = value as Plain;
    const result: { [key: string]: unknown } = {};
    for (const { key, copy } of keys) {
      const made = copy(source[key]);
      if (made !== undefined || key in source) result[key] = made;
    }
    if (keepsRest)
      for (const [key, one] of Object.entries(source))
        if (!Object.hasOwn(shape, key) && key !== '__proto__') result[key] = one;
    return result;
  };
}

/** Uses the first option that fits; at least one does. */
function either(
  options: readonly Schema[],
  fits: Map<Schema, Fits>,
  inner: (schema: Schema) => CopyValue,
): CopyValue {
  const all = options.map((option) => ({ fits: fitsOf(option, fits), copy: inner(option) }));
  return (value) => all.find((option) => option.fits(value))?.copy(value);
}
