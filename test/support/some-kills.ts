/** Of the places at which a run may be killed, or of other cases, a sample; `npm run crash` takes all of them. */
export const someKills = <Place>(
  places: readonly Place[],
  every: number,
  from = 0,
): readonly Place[] =>
  process.env.EVERY_KILL ? places : places.filter((_, at) => at % every === from % every);
