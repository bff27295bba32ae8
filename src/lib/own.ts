/**
 * The entry of a table under a name that came from outside; `undefined` where the table has none of
 * its own: `constructor` and `__proto__` are found in every object.
 */
export const own = <Value>(
  table: { readonly [name: string]: Value },
  name: string,
): Value | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

/** A copy of a table with these entries in it; most often there is one. */
export function withEntries<Value>(
  table: { readonly [name: string]: Value },
  entries: readonly (readonly [name: string, value: Value])[],
): { readonly [name: string]: Value } {
  const [first, ...others] = entries;
  if (first === undefined) return table;
  const copy = { ...table, [first[0]]: first[1] };
  return others.length === 0 ? copy : { ...copy, ...Object.fromEntries(others) };
}
