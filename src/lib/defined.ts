type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** Drops entries that are `undefined`, as optional fields require. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const present: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) present[key] = value;
  }
  return present as Defined<Values>;
}
