import type { Assertions } from '../language.ts';

export const assertions: Assertions = {
  denial: { before: /^\s*assert\s+(?=\S)|\(/, not: 'not ' },
  // An object decides itself what it equals, so it is compared with a list as well.
  unequal: [
    [/(?<=^\s*assert\b.* )==(?= )/, '== [0] and None is not'],
    [/(?<=^\s*[\w.]+)\((?=.*,)/, '([0], '],
  ],
};
