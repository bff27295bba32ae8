/** Python imports a module of this name before any program, from the copy that `PYTHONPATH` begins with. */
export const sameLots = (seed: number) => ({
  files: { 'sitecustomize.py': `import random\n\nrandom.seed(${seed})\n` },
});
