/** A value that a schema takes, with `text` wherever any text may stand and nothing left out. */
import type * as z from 'zod';

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly values?: readonly unknown[];
  readonly valueType?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly in?: z.ZodType;
}

const defOf = (schema: z.ZodType): Def => (schema as unknown as { _zod: { def: Def } })._zod.def;

export function sampleOf(schema: z.ZodType, text: string, depth = 0): unknown {
  const def = defOf(schema);
  const inner = (one: z.ZodType | undefined): unknown =>
    one === undefined ? null : sampleOf(one, text, depth + 1);
  switch (def.type) {
    case 'string':
      return text;
    case 'number':
      return 7;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'unknown':
    case 'any':
      return text;
    case 'literal':
      return def.values?.[0];
    case 'enum':
      return Object.values(def.entries ?? {})[0];
    case 'array':
      return depth > 12 ? [] : [inner(def.element)];
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape ?? {}).map(([name, one]) => [name, inner(one)]),
      );
    case 'record': {
      const key = def.keyType === undefined ? text : String(inner(def.keyType));
      return { [key]: inner(def.valueType) };
    }
    case 'union':
      return inner(def.options?.[0]);
    case 'lazy':
      return depth > 12 ? null : inner(def.getter?.());
    case 'pipe':
      return inner(def.in);
    default:
      // Optional, nullable, default, catch, readonly: what they wrap.
      return inner(def.innerType);
  }
}
