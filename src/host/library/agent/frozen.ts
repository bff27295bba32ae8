/** Pure: an immutable copy. */
import { isPlain } from '../../../lib/schemas/fits.ts';

/**
 * Copies and freezes lists and plain objects recursively. Instances of classes, functions and what `isKept` accepts
 * stay the same objects.
 */
export function frozenCopy<Value>(value: Value, isKept: (one: object) => boolean): Value {
  if (Array.isArray(value))
    return Object.freeze(value.map((one) => frozenCopy(one, isKept))) as Value;
  if (!isPlain(value) || isKept(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, frozenCopy(one, isKept)]);
  return Object.freeze(Object.fromEntries(entries)) as Value;
}
