/** What the user said while the run worked, as data beside the goal. */
export const personMessage = (lines: readonly string[]): string =>
  `The user says, while you work:\n${lines.join('\n')}\nThe goal stays as it is; take this into account in what is still to do.`;
