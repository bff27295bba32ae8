/** What the user said while the run worked, as data beside the goal. */
export const personMessage = (lines: readonly string[]): string =>
  `The user says, while you work:\n${lines.join('\n')}\nThe goal stays as it is; take this into account in what is still to do.`;

/** Reports a plan that the person changed before approving it. @param plan as it is now */
export const planChanged = (plan: string): string =>
  `I changed your plan before I agreed to it. It is this now; work by it:\n${plan.trim()}`;
