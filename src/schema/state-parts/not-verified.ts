/** Pure: how the end of a run names the subtasks of which nothing says that they are done. */
export const notVerified = (ids: readonly string[]): string =>
  `not verified: subtask ${ids.join(', ')}`;
