/** @param answer `null`: the question was closed without one */
export const isYes = (answer: string | null): boolean => /^y(?:es)?$/i.test(answer?.trim() ?? '');
