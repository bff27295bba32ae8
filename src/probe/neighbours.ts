/**
 * Calls similar to those that a goal states: one argument differs a little. Nobody has said what is right
 * for them, but two versions of the same function give the same result. Pure.
 */
/** The most calls for one example; below, the most for all examples together. */
const MAX_OF_ONE = 4;
const MAX = 8;

export function neighbours<Example extends { readonly args: readonly unknown[] }>(
  examples: readonly Example[],
): readonly { readonly example: Example; readonly args: readonly unknown[] }[] {
  const of = examples.map((example) => ({ example, all: variants(example.args) }));
  const found = of.flatMap(({ example, all }) =>
    all.slice(0, MAX_OF_ONE).map((args) => ({ example, args })),
  );
  return found.slice(0, MAX);
}

/** Takes the first variation of each argument, then the second. */
function variants(args: readonly unknown[]): readonly (readonly unknown[])[] {
  const steps = args.map(stepsFrom);
  const most = Math.max(0, ...steps.map(({ length }) => length));
  return Array.from({ length: most }).flatMap((_, step) =>
    steps.flatMap((values, at) => (step < values.length ? [args.with(at, values[step])] : [])),
  );
}

function stepsFrom(value: unknown): readonly unknown[] {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return value > 0 ? [value + 1, value - 1] : [value + 1];
  // A goal seldom says what an empty value should give.
  if (typeof value === 'string') return value.length > 1 ? [value.slice(0, -1), value + value] : [];
  if (Array.isArray(value))
    return value.length > 1 ? [value.slice(0, -1), [...value, ...value]] : [];
  return [];
}
