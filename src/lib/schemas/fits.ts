/**
 * Checks whether a value fits a zod schema, with a function made from that schema once. zod builds a copy and a
 * list of issues for everything it checks, which takes most of the time when a long journal is read; a value
 * that fits needs neither.
 * 1. A yes is what zod would answer. Any part of a schema that is unknown here is checked by zod itself.
 * 2. A no is not final: the caller asks zod, which also knows the reason.
 * 3. A schema is examined only through its `def`.
 */
import type * as z from 'zod';

export type Fits = (value: unknown) => boolean;

export interface Def {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: CheckDef } }[];
  readonly shape?: { readonly [key: string]: Schema };
  readonly catchall?: Schema;
  readonly element?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly innerType?: Schema;
  readonly options?: readonly Schema[];
  readonly discriminator?: string;
  readonly values?: readonly unknown[];
  readonly entries?: { readonly [key: string]: unknown };
  readonly getter?: () => Schema;
  readonly format?: string;
  readonly coerce?: boolean;
}

export interface CheckDef {
  readonly check: string;
  readonly format?: string;
  readonly value?: unknown;
  readonly inclusive?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: RegExp;
}

type Schema = z.ZodType;

export const defOf = (schema: Schema): Def => schema.def as unknown as Def;

/** Schemas refer to each other repeatedly; each is turned into a function once, when it is first used. */
export function fitsOf(schema: Schema, made = new Map<Schema, Fits>()): Fits {
  const known = made.get(schema);
  if (known) return known;
  let fits: Fits | null = null;
  // Made on first use, because a start meets few of the schemas.
  const lazily: Fits = (value) => {
    fits ??= makerOf(defOf(schema), (inner) => fitsOf(inner, made)) ?? asked(schema);
    return fits(value);
  };
  made.set(schema, lazily);
  return lazily;
}

/** Marks parameters with which zod itself must answer. */
export const OWN_ANSWER = {};

const asked =
  (schema: Schema): Fits =>
  (value) =>
    schema.safeParse(value, OWN_ANSWER).success;

type Inner = (schema: Schema) => Fits;

/** `null` if only zod knows the schema. */
function makerOf(def: Def, inner: Inner): Fits | null {
  if (def.type === 'number') return numbers(def);
  if (def.coerce || def.format !== undefined) return null;
  if (def.type === 'string') return withLength((value) => typeof value === 'string', def);
  if (def.type === 'array' && def.element !== undefined)
    return withLength(arrays(inner(def.element)), def);
  if ((def.checks ?? []).length > 0) return null;
  switch (def.type) {
    case 'boolean':
      return (value) => typeof value === 'boolean';
    case 'unknown':
      return () => true;
    case 'literal':
      return oneOf(def.values ?? []);
    case 'enum':
      return oneOf(Object.values(def.entries ?? {}));
    case 'optional':
      return def.innerType === undefined ? null : unless(undefined, inner(def.innerType));
    case 'nullable':
      return def.innerType === undefined ? null : unless(null, inner(def.innerType));
    case 'catch':
      return () => true;
    // Missing values fit.
    case 'default':
      return def.innerType === undefined ? null : unless(undefined, inner(def.innerType));
    case 'lazy':
      return def.getter === undefined ? null : inner(def.getter());
    case 'object':
      return objects(def, inner);
    case 'record':
      return records(def, inner);
    case 'union':
      return def.discriminator === undefined
        ? anyOf((def.options ?? []).map(inner))
        : discriminated(def.discriminator, def.options ?? [], inner);
    default:
      return null;
  }
}

function numbers({ checks = [], coerce, format }: Def): Fits | null {
  if (coerce || (format !== undefined && format !== 'safeint')) return null;
  let isWhole = format === 'safeint';
  const bounds: ((value: number) => boolean)[] = [];
  for (const check of checks) {
    const { def } = check._zod;
    if (def.format === 'safeint') isWhole = true;
    else {
      const bound = boundOf(def);
      if (bound === null) return null;
      bounds.push(bound);
    }
  }
  const isNumber = isWhole ? Number.isSafeInteger : Number.isFinite;
  if (bounds.length === 0) return isNumber;
  return (value) => isNumber(value) && bounds.every((bound) => bound(value as number));
}

function boundOf({ check, value: limit, inclusive }: CheckDef): ((n: number) => boolean) | null {
  if (typeof limit !== 'number') return null;
  if (check === 'greater_than') return inclusive ? (n) => n >= limit : (n) => n > limit;
  if (check === 'less_than') return inclusive ? (n) => n <= limit : (n) => n < limit;
  return null;
}

/** For a text or a list. */
function withLength(fits: Fits, { checks = [] }: Def): Fits | null {
  if (checks.length === 0) return fits;
  let [least, most] = [0, Number.POSITIVE_INFINITY];
  const patterns: RegExp[] = [];
  for (const { _zod } of checks) {
    const { check, minimum, maximum, format, pattern } = _zod.def;
    if (check === 'min_length' && minimum !== undefined) least = Math.max(least, minimum);
    else if (check === 'max_length' && maximum !== undefined) most = Math.min(most, maximum);
    // A sticky or global expression keeps a position and cannot be used as a rule.
    else if (format === 'regex' && pattern?.global === false && !pattern.sticky)
      patterns.push(pattern);
    else return null;
  }
  return (value) => {
    if (!fits(value)) return false;
    const text = value as string;
    if (text.length < least || text.length > most) return false;
    return patterns.every((pattern) => pattern.test(text));
  };
}

/** For values that are equal only to themselves; a number or text that is listed twice counts once. */
function oneOf(values: readonly unknown[]): Fits {
  const listed = new Set(values);
  return (value) => listed.has(value);
}

const unless =
  (allowed: null | undefined, fits: Fits): Fits =>
  (value) =>
    value === allowed || fits(value);

const arrays =
  (fits: Fits): Fits =>
  (value) => {
    if (!Array.isArray(value)) return false;
    // Not `every`, which skips holes.
    for (const element of value) if (!fits(element)) return false;
    return true;
  };

const anyOf =
  (all: readonly Fits[]): Fits =>
  (value) =>
    all.some((fits) => fits(value));

export type Plain = { readonly [key: string]: unknown };

export function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function objects({ shape = {}, catchall }: Def, inner: Inner): Fits | null {
  const rest = catchall === undefined ? 'unknown' : defOf(catchall).type;
  if (rest !== 'unknown' && rest !== 'never') return null;
  const keys = Object.entries(shape).map(([key, schema]) => ({
    key,
    fits: inner(schema),
    // Anything fits, but something must be present.
    isAnything: defOf(schema).type === 'unknown',
  }));
  return (value) => {
    if (!isPlain(value)) return false;
    for (const { key, fits, isAnything } of keys) {
      if (!fits(value[key]) || (isAnything && !(key in value))) return false;
    }
    return rest === 'unknown' || Object.keys(value).every((key) => Object.hasOwn(shape, key));
  };
}

function records({ keyType, valueType }: Def, inner: Inner): Fits | null {
  if (keyType === undefined || valueType === undefined) return null;
  const { type, checks = [] } = defOf(keyType);
  if (type !== 'string' || checks.length > 0) return null;
  const fits = inner(valueType);
  return (value) => isPlain(value) && Object.values(value).every(fits);
}

function discriminated(key: string, options: readonly Schema[], inner: Inner): Fits | null {
  const byValue = new Map<unknown, Fits>();
  for (const option of options) {
    const field = defOf(option).shape?.[key];
    const { type, values } = field ? defOf(field) : { type: '', values: [] };
    if (type !== 'literal' || values === undefined) return null;
    for (const value of values) byValue.set(value, inner(option));
  }
  return (value) => isPlain(value) && (byValue.get(value[key])?.(value) ?? false);
}
