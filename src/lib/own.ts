/**
 * The entry of a table under a name that came from outside; `undefined` where the table has none of
 * its own: `constructor` and `__proto__` are found in every object.
 */
export const own = <Value>(
  table: { readonly [name: string]: Value },
  name: string,
): Value | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);
