const FILE = 'same-lots.cjs';

/** The linear congruential generator of Numerical Recipes (Press et al., 1992, 7.1). */
export const sameLots = (seed: number) => ({
  files: {
    [FILE]: `let lot = ${seed};\nMath.random = () => {\n  lot = (lot * 1664525 + 1013904223) % 2 ** 32;\n  return lot / 2 ** 32;\n};\n`,
  },
  // From the folder that a program works in: that is the copy.
  variables: { NODE_OPTIONS: `--require=./${FILE}` },
});
