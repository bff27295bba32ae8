/**
 * Checks whether a value fits a zod schema, and copies one that fits, with functions made from that schema once. zod
 * builds a copy and a list of issues for everything it checks, which takes most of the time when a long journal is
 * read; a value that fits needs neither.
 * 1. A yes is what zod would answer, and a copy is what zod would make: without unknown keys, in the schema's order,
 *    with defaults filled in. Any part of a schema that is unknown here is left to zod itself.
 * 2. A no is not final: the caller asks zod, which also knows the reason.
 * 3. A schema is examined only through its `def`.
 */
import type * as z from 'zod';

export interface Walk {
  readonly fits: Fits;
  /** Copies a value that fits; unspecified for any other value. */
  readonly copy: Copy;
}

type Fits = (value: unknown) => boolean;
type Copy = (value: unknown) => unknown;

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
  readonly defaultValue?: unknown;
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

const defOf = (schema: Schema): Def => schema.def as unknown as Def;

/** Schemas refer to each other repeatedly; each is turned into functions once, when it is first used. */
export function walkOf(schema: Schema, made = new Map<Schema, Walk>()): Walk {
  const known = made.get(schema);
  if (known) return known;
  let walk: Walk | null = null;
  const make = (): Walk => {
    walk = makerOf(schema, (inner) => walkOf(inner, made)) ?? asked(schema);
    return walk;
  };
  // Made on first use, because a start meets few of the schemas.
  const lazily: Walk = {
    fits: (value) => (walk ?? make()).fits(value),
    copy: (value) => (walk ?? make()).copy(value),
  };
  made.set(schema, lazily);
  return lazily;
}

/** Marks parameters with which zod itself must answer. */
const OWN_ANSWER = {};

const asked = (schema: Schema): Walk => ({
  fits: (value) => schema.safeParse(value, OWN_ANSWER).success,
  copy: (value) => schema.parse(value, OWN_ANSWER),
});

type Inner = (schema: Schema) => Walk;

/** `null` if only zod knows the schema. */
function makerOf(schema: Schema, inner: Inner): Walk | null {
  const def = defOf(schema);
  if (def.type === 'number') return values(numbers(def));
  if (def.coerce || def.format !== undefined) return null;
  if (def.type === 'string') return values(withLength((value) => typeof value === 'string', def));
  if (def.type === 'array' && def.element !== undefined) return lists(inner(def.element), def);
  if ((def.checks ?? []).length > 0) return null;
  switch (def.type) {
    case 'boolean':
      return values((value) => typeof value === 'boolean');
    case 'unknown':
      return values(() => true);
    case 'literal':
      return values(oneOf(def.values ?? []));
    case 'enum':
      return values(oneOf(Object.values(def.entries ?? {})));
    case 'optional':
    case 'default':
      return def.innerType === undefined
        ? null
        : // zod makes a list or an object anew each time.
          unless(undefined, () => def.defaultValue, inner(def.innerType));
    case 'nullable':
      return def.innerType === undefined ? null : unless(null, () => null, inner(def.innerType));
    case 'catch':
      return def.innerType === undefined ? null : caught(inner(def.innerType), asked(schema));
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

const values = (fits: Fits | null): Walk | null => fits && { fits, copy: (value) => value };

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

/** Adds the limits of length, for a text or a list. */
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

const unless = (allowed: unknown, instead: () => unknown, { fits, copy }: Walk): Walk => ({
  fits: (value) => value === allowed || fits(value),
  copy: (value) => (value === allowed ? instead() : copy(value)),
});

const caught = ({ fits, copy }: Walk, otherwise: Walk): Walk => ({
  fits: () => true,
  copy: (value) => (fits(value) ? copy(value) : otherwise.copy(value)),
});

function lists({ fits, copy }: Walk, def: Def): Walk | null {
  const fitsList = withLength((value) => {
    if (!Array.isArray(value)) return false;
    // Not `every`, which skips holes.
    for (const element of value) if (!fits(element)) return false;
    return true;
  }, def);
  return fitsList && { fits: fitsList, copy: (value) => (value as readonly unknown[]).map(copy) };
}

/** Copies by the first schema that fits. */
const anyOf = (all: readonly Walk[]): Walk => ({
  fits: (value) => all.some(({ fits }) => fits(value)),
  copy: (value) => all.find(({ fits }) => fits(value))?.copy(value),
});

type Plain = { readonly [key: string]: unknown };

export function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function objects({ shape = {}, catchall }: Def, inner: Inner): Walk | null {
  const rest = catchall === undefined ? 'dropped' : defOf(catchall).type;
  if (rest !== 'dropped' && rest !== 'unknown' && rest !== 'never') return null;
  const keys = Object.entries(shape).map(([key, schema]) => ({
    key,
    ...inner(schema),
    // Anything fits, but something must be present.
    isAnything: defOf(schema).type === 'unknown',
  }));
  return {
    fits: (value) => {
      if (!isPlain(value)) return false;
      for (const { key, fits, isAnything } of keys) {
        if (!fits(value[key]) || (isAnything && !(key in value))) return false;
      }
      return rest !== 'never' || Object.keys(value).every((key) => Object.hasOwn(shape, key));
    },
    copy: (value) => {
      const source = value as Plain;
      const result: { [key: string]: unknown } = {};
      for (const { key, copy } of keys) {
        const made = copy(source[key]);
        if (made !== undefined || key in source) result[key] = made;
      }
      if (rest === 'unknown')
        for (const [key, one] of Object.entries(source))
          if (!Object.hasOwn(shape, key) && key !== '__proto__') result[key] = one;
      return result;
    },
  };
}

function records({ keyType, valueType }: Def, inner: Inner): Walk | null {
  if (keyType === undefined || valueType === undefined) return null;
  const { type, checks = [] } = defOf(keyType);
  if (type !== 'string' || checks.length > 0) return null;
  const { fits, copy } = inner(valueType);
  return {
    fits: (value) => isPlain(value) && Object.values(value).every(fits),
    copy: (value) => {
      const result: { [key: string]: unknown } = {};
      for (const [key, one] of Object.entries(value as Plain))
        if (key !== '__proto__') result[key] = copy(one);
      return result;
    },
  };
}

function discriminated(key: string, options: readonly Schema[], inner: Inner): Walk | null {
  const byValue = new Map<unknown, Walk>();
  for (const option of options) {
    const field = defOf(option).shape?.[key];
    const { type, values } = field ? defOf(field) : { type: '', values: [] };
    if (type !== 'literal' || values === undefined) return null;
    for (const value of values) byValue.set(value, inner(option));
  }
  return {
    fits: (value) => isPlain(value) && (byValue.get(value[key])?.fits(value) ?? false),
    copy: (value) => byValue.get((value as Plain)[key])?.copy(value),
  };
}
