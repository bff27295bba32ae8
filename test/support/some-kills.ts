/** Of the places at which a run may be killed, or of other cases, a sample; `npm run crash` takes all of them. */
export const someKills = <Place>(
  places: readonly Place[],
  every: number,
  from = 0,
): readonly Place[] =>
  process.env.EVERY_KILL ? places : places.filter((_, at) => at % every === from % every);

/** The same of the numbers from one up to another, which is none of them. */
export const somePlaces = (from: number, to: number, every: number): readonly number[] =>
  someKills(
    Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index),
    every,
  );
