type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** The values that are there: what is `undefined` is left out, as optional fields want it. */
export function given<Values extends object>(values: Values): Given<Values> {
  const present: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(values)) {
    if (value !== undefined) present[key] = value;
  }
  return present as Given<Values>;
}
