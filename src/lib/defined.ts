type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** The values that are there: what is `undefined` is left out, as optional fields want it. */
export function defined<Values extends object>(values: Values): Defined<Values> {
  const present: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) present[key] = value;
  }
  return present as Defined<Values>;
}
