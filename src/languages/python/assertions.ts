import type { Assertions } from '../language.ts';

export const assertions: Assertions = {
  denial: { before: /^\s*assert\s+(?=\S)|\(/, not: 'not ' },
  // An object says itself what it equals, so it is asked of a list, too.
  unequal: [
    [/(?<=^\s*assert\b.* )==(?= )/, '== [0] and None is not'],
    [/(?<=^\s*[\w.]+)\((?=.*,)/, '([0], '],
  ],
};
