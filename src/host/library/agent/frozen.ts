/** A copy that nobody changes. Pure. */

/**
 * Lists and plain objects are copied and frozen all through; what has a class or is a function, and what
 * `isKept` says, is the very same.
 */
export function frozenCopy<Value>(value: Value, isKept: (one: object) => boolean): Value {
  if (Array.isArray(value))
    return Object.freeze(value.map((one) => frozenCopy(one, isKept))) as Value;
  if (!isPlain(value) || isKept(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, frozenCopy(one, isKept)]);
  return Object.freeze(Object.fromEntries(entries)) as Value;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
