/** Pure: how many parameters a model has, from its server or its file, else from its name. */

const UNITS: { readonly [unit: string]: number } = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** `1.5B`, `630.17M`, `8x7B` as a number; `null` if the text is not a size. */
export function parametersIn(word: string): number | null {
  const match = /^(?:(\d+)x)?(\d+(?:\.\d+)?) ?([KMBT])$/i.exec(word.trim());
  if (!match) return null;
  const [, experts = '1', count = '', unit = ''] = match;
  return Number(experts) * Number(count) * (UNITS[unit.toUpperCase()] ?? 0);
}

/**
 * A figure with its unit between separators: `:7b`, `-1.5b-`, `8x7b`, `e4b`. Not `4bit`, and not `a3b`, which says how
 * many of the parameters are active at a time.
 */
const IN_NAME = /(?<![a-z0-9.])e?((?:\d+x)?\d+(?:\.\d+)?[mbt])(?![a-z0-9])/gi;

/** The size in the name of a model or file; the first if there are several. */
export function sizeInName(name: string): number | null {
  const [found] = [...name.matchAll(IN_NAME)];
  return found?.[1] === undefined ? null : parametersIn(found[1]);
}

/** For people: `1.5 billion parameters`. */
export function parametersText(parameters: number): string {
  const billions = parameters / 1e9;
  const rounded = billions < 10 ? Math.round(billions * 10) / 10 : Math.round(billions);
  return parameters < 1e9
    ? `${Math.round(parameters / 1e6)} million parameters`
    : `${rounded} billion parameters`;
}
