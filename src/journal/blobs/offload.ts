/** Replaces long strings of a record by blob references, and restores them. Pure walks over plain data. */
import { BlobRef, OFFLOAD_LENGTH } from '../../schema/text.ts';
import type { FieldPath } from '../record-format.ts';

const HEAD_LENGTH = 120;

/** A record in memory: every blob reference is its string again. */
export type ReadBack<Value> = Value extends BlobRef
  ? string
  : Value extends object
    ? { [Key in keyof Value]: ReadBack<Value[Key]> }
    : Value;

export interface Offloaded {
  /** The stored form, exactly as reading the line will return it. */
  readonly stored: unknown;
  /** Texts to keep, by sha256. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface OffloadPorts {
  readonly hash: (text: string) => string;
  /** True if a blob with that name is already kept. */
  readonly isKept: (hash: string) => boolean;
}

/**
 * Replaces strings longer than `OFFLOAD_LENGTH` by references. Strings at or below a path of `inline` stay, and
 * so do strings that UTF-8 cannot represent (lone surrogates).
 */
export function offload(
  record: unknown,
  inline: readonly FieldPath[],
  ports: OffloadPorts,
): Offloaded {
  const texts = new Map<string, string>();
  const walk = (value: unknown, stays: readonly FieldPath[]): unknown => {
    if (typeof value === 'string') {
      if (value.length <= OFFLOAD_LENGTH || stays.some((path) => path.length === 0)) return value;
      if (Buffer.from(value).toString() !== value) return value;
      const blob = ports.hash(value);
      texts.set(blob, value);
      return { blob, length: value.length, head: headOf(value) };
    }
    if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
    if (typeof value === 'boolean') return value;
    // Values that JSON cannot express become what JSON makes of them inside an array.
    if (typeof value !== 'object' || value === null) return null;
    if (Array.isArray(value)) return value.map((item, index) => walk(item, below(stays, index)));
    // A model may have made up text that looks like a reference; it must not be taken for one later.
    if (looksLikeReference(value) && !ports.isKept(value.blob)) return JSON.stringify(value);
    const copy: Record<string, unknown> = {};
    for (const [key, item] of Object.entries(value)) {
      if (item !== undefined) define(copy, key, walk(item, below(stays, key)));
    }
    return copy;
  };
  return { stored: walk(record, inline), texts };
}

/** Puts the strings back in place of their references. What holds no reference is not copied, since few records do. */
export function readBack<Value>(value: Value, readText: (hash: string) => string): ReadBack<Value> {
  const walk = (item: unknown): unknown => {
    if (typeof item !== 'object' || item === null) return item;
    if (!Array.isArray(item) && looksLikeReference(item)) return readText(item.blob);
    const known = item as { readonly [key: string]: unknown };
    let copy: Record<string, unknown> | null = null;
    for (const key of Object.keys(item)) {
      const own = known[key];
      const child = walk(own);
      if (child === own) continue;
      copy ??= (Array.isArray(item) ? [...item] : { ...item }) as Record<string, unknown>;
      define(copy, key, child);
    }
    return copy ?? item;
  };
  return walk(value) as ReadBack<Value>;
}

export function referencesIn(value: unknown): BlobRef[] {
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value) && looksLikeReference(value)) return [value];
  return Object.values(value).flatMap(referencesIn);
}

const REFERENCE_KEYS = 3;

function looksLikeReference(value: object): value is BlobRef {
  return (
    'blob' in value &&
    Object.keys(value).length === REFERENCE_KEYS &&
    BlobRef.safeParse(value).success
  );
}

/** The paths that continue through `key`, shortened by it. A path that ends here covers everything below. */
function below(paths: readonly FieldPath[], key: PropertyKey): readonly FieldPath[] {
  if (paths.length === 0) return paths;
  return paths.filter((path) => path.length === 0 || path[0] === key).map((path) => path.slice(1));
}

/** Sets an own property under any name, including `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  } else {
    target[key] = value;
  }
}

/** The first characters, without splitting a surrogate pair. */
function headOf(text: string): string {
  const head = text.slice(0, HEAD_LENGTH);
  const last = head.charCodeAt(head.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? head.slice(0, -1) : head;
}
