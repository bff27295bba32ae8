/**
 * The entry of a table under a name from outside; `undefined` if the table itself has none. Every object
 * inherits `constructor` and `__proto__`.
 */
export const own = <Value>(
  table: { readonly [name: string]: Value },
  name: string,
): Value | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

/** A copy of a table with these entries added; usually there is one. */
export function withEntries<Value>(
  table: { readonly [name: string]: Value },
  entries: readonly (readonly [name: string, value: Value])[],
): { readonly [name: string]: Value } {
  const [first, ...others] = entries;
  if (first === undefined) return table;
  const copy = { ...table, [first[0]]: first[1] };
  return others.length === 0 ? copy : { ...copy, ...Object.fromEntries(others) };
}
