type Given<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

/** The values that are there: what is `undefined` is left out, as optional fields want it. */
export const given = <Values extends object>(values: Values): Given<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<Values>;
