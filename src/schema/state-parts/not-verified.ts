/** Pure: how the end of a run names what may not be done. Its head already says "not verified". */
export const nothingShows = (what: string): string => `nothing shows that this is done: ${what}`;

export const notVerified = (ids: readonly string[]): string =>
  nothingShows(`subtask ${ids.join(', ')}`);
