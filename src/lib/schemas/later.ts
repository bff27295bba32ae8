/**
 * Replaces zod in the built program. A start uses few of our schemas, and loading and building them with zod
 * takes longer than most checks; here a schema only notes how it is made.
 * 1. A value that fits as far as the notes alone can tell is accepted without zod, and is copied as zod would.
 *    For everything else zod is loaded and builds the schema, and its answer counts.
 * 2. Anything asked of a schema that is unknown here is answered by zod's schema.
 */
import type * as z from 'zod';
import { real } from './real.ts';
import { type CheckDef, type Def, type Walk, walkOf } from './walk.ts';

type Schema = z.ZodType;
type Call = (...args: unknown[]) => unknown;

/** Forwards everything unknown to zod. */
const ASKED = new Proxy(Object.create(null), {
  get: (_target, key, schema) => ofReal(schema, key),
});

class Later {
  /** Set once it was built. */
  built: Schema | null = null;
  known: Def | null = null;

  constructor(
    readonly how: string,
    readonly args: readonly unknown[],
    readonly on: Later | null,
  ) {}

  get def(): Def {
    this.known ??= this.on === null ? rootDef(this.how, this.args) : stepDef(this, this.on);
    this.known ??= realOf(this).def as unknown as Def;
    return this.known;
  }

  get shape(): unknown {
    return this.def.shape;
  }

  get options(): unknown {
    const { type, entries, options } = this.def;
    return type === 'enum' ? Object.values(entries ?? {}) : options;
  }

  /** The value of a literal. */
  get value(): unknown {
    const { type, values } = this.def;
    return type === 'literal' && values?.length === 1 ? values[0] : ofReal(this, 'value');
  }

  get _zod(): unknown {
    return realOf(this)._zod;
  }

  get '~standard'(): unknown {
    return realOf(this)['~standard'];
  }

  safeParse(value: unknown, ...params: unknown[]): unknown {
    const { fits, copy } = walkOf(this as unknown as Schema, WALKS);
    if (params.length === 0 && fits(value)) return { success: true, data: copy(value) };
    return (realOf(this).safeParse as Call)(value, ...params);
  }

  parse(value: unknown, ...params: unknown[]): unknown {
    const { fits, copy } = walkOf(this as unknown as Schema, WALKS);
    if (params.length === 0 && fits(value)) return copy(value);
    return (realOf(this).parse as Call)(value, ...params);
  }
}

function realOf(schema: Later): Schema {
  if (schema.built !== null) return schema.built;
  const from = schema.on === null ? real : realOf(schema.on);
  const made = (from as unknown as { readonly [how: string]: Call })[schema.how];
  const isLazy = schema.how === 'lazy';
  const args = schema.args.map((arg) => (isLazy ? () => realized((arg as Call)()) : realized(arg)));
  schema.built = made?.apply(from, args) as Schema;
  return schema.built;
}

const WALKS = new Map<Schema, Walk>();

function ofReal(schema: unknown, key: string | symbol): unknown {
  if (!(schema instanceof Later)) return undefined;
  const whole = realOf(schema) as unknown as { readonly [key: string | symbol]: unknown };
  const value = whole[key];
  if (typeof value !== 'function') return value;
  return (...args: unknown[]) => value.apply(whole, args.map(realized));
}

/** Replaces notes by zod's own schemas. */
function realized(value: unknown): unknown {
  if (value instanceof Later) return realOf(value);
  if (Array.isArray(value)) return value.map(realized);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, realized(one)]));
}

const NEVER_MORE = { def: { type: 'never' } } as unknown as Schema;
const ANYTHING = { def: { type: 'unknown' } } as unknown as Schema;

/** The `def` that zod would have for a schema; `null` if only zod knows it. */
function rootDef(how: string, args: readonly unknown[]): Def | null {
  const [first, second] = args as readonly Schema[];
  switch (how) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'unknown':
      return args.length === 0 ? { type: how } : null;
    case 'int':
      return args.length === 0 ? { type: 'number', format: 'safeint' } : null;
  }
  if (first === undefined) return null;
  const shape = first as unknown as Def['shape'] & object;
  if (how === 'discriminatedUnion' && args.length === 2)
    return {
      type: 'union',
      discriminator: first as unknown as string,
      options: second as unknown as Schema[],
    };
  if (how === 'record' && second !== undefined && args.length === 2)
    return { type: 'record', keyType: first, valueType: second };
  if (args.length !== 1) return null;
  switch (how) {
    case 'literal':
      return { type: 'literal', values: [first].flat() };
    case 'enum':
      return Array.isArray(first)
        ? { type: 'enum', entries: Object.fromEntries(first.map((one) => [one, one])) }
        : null;
    case 'array':
      return { type: 'array', element: first };
    case 'object':
      return { type: 'object', shape };
    case 'looseObject':
      return { type: 'object', shape, catchall: ANYTHING };
    case 'strictObject':
      return { type: 'object', shape, catchall: NEVER_MORE };
    case 'union':
      return { type: 'union', options: first as unknown as Schema[] };
    case 'lazy':
      return { type: 'lazy', getter: first as unknown as () => Schema };
    default:
      return null;
  }
}

/** The same for a schema that is made from another. */
function stepDef({ how, args }: Later, on: Later): Def | null {
  const innerType = on as unknown as Schema;
  switch (how) {
    case 'describe':
      return on.def;
    case 'catch':
      return { type: how, innerType };
    case 'optional':
    case 'nullable':
      return args.length === 0 ? { type: how, innerType } : null;
    case 'nullish':
      return { type: 'optional', innerType: new Later('nullable', [], on) as unknown as Schema };
    case 'default': {
      const [defaultValue] = args;
      const isPlain = typeof defaultValue !== 'object' && typeof defaultValue !== 'function';
      return isPlain ? ({ type: 'default', innerType, defaultValue } as Def) : null;
    }
    case 'strict':
      return on.def.type === 'object' && on.def.checks === undefined
        ? { ...on.def, catchall: NEVER_MORE }
        : null;
    default: {
      const check = checkDef(how, args, on.def);
      return check === null
        ? null
        : { ...on.def, checks: [...(on.def.checks ?? []), { _zod: { def: check } }] };
    }
  }
}

function checkDef(how: string, [limit]: readonly unknown[], { type }: Def): CheckDef | null {
  if (type === 'string' && how === 'regex' && limit instanceof RegExp)
    return { check: 'string_format', format: 'regex', pattern: limit };
  if (type === 'number' && how === 'int') return { check: 'number_format', format: 'safeint' };
  if (type === 'number' && (how === 'positive' || how === 'nonnegative'))
    return { check: 'greater_than', value: 0, inclusive: how === 'nonnegative' };
  if (typeof limit !== 'number' || (how !== 'min' && how !== 'max')) return null;
  if (type === 'number')
    return { check: how === 'min' ? 'greater_than' : 'less_than', value: limit, inclusive: true };
  if (type !== 'string' && type !== 'array') return null;
  return how === 'min'
    ? { check: 'min_length', minimum: limit }
    : { check: 'max_length', maximum: limit };
}

/** Methods that make a schema from another one and are only noted. */
const STEPS = [
  ...['optional', 'nullable', 'nullish', 'default', 'catch', 'describe', 'int', 'min', 'max'],
  ...['positive', 'nonnegative', 'regex', 'trim', 'toLowerCase', 'startsWith', 'transform'],
  ...['readonly', 'strict', 'array', 'refine', 'superRefine', 'catchall', 'extend', 'omit'],
];
for (const step of STEPS) {
  Object.defineProperty(Later.prototype, step, {
    value(this: Later, ...args: unknown[]) {
      return new Later(step, args, this);
    },
  });
}
Object.setPrototypeOf(Later.prototype, ASKED);

const noted =
  (how: string): Call =>
  (...args) =>
    new Later(how, args, null);

const asking =
  (name: string): Call =>
  (...args) =>
    (real[name] as Call)(...args.map(realized));

export const string = noted('string');
export const number = noted('number');
export const int = noted('int');
export const boolean = noted('boolean');
export const unknown = noted('unknown');
export const literal = noted('literal');
const enumOf = noted('enum');
export const array = noted('array');
export const object = noted('object');
export const strictObject = noted('strictObject');
export const looseObject = noted('looseObject');
export const record = noted('record');
export const partialRecord = noted('partialRecord');
export const union = noted('union');
export const discriminatedUnion = noted('discriminatedUnion');
export const intersection = noted('intersection');
export const lazy = noted('lazy');
export const toJSONSchema = asking('toJSONSchema');
export const prettifyError = asking('prettifyError');
export { NEVER, ZodError } from 'zod';
export { enumOf as enum };
