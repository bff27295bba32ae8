// Pure: names and ids of which every server takes each character, and back.

export const LONGEST_NAME = 64;

/** A safe form of a text; `fallback` if no character of it is safe. */
export const safeName = (text: string, fallback: string, longest = LONGEST_NAME): string =>
  text.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, longest) || fallback;

export interface SafeNames {
  to(own: string): string;
  /** The original of a name; a name that was not made here comes back unchanged. */
  from(wire: string): string;
  isTaken(wire: string): boolean;
}

/**
 * Gives every text a name of its own; what a text became never changes with later ones, as a conversation grows.
 * `longest`: of a name with a number at its end.
 */
export function safeNames(
  form: (own: string, count: number) => string,
  longest: number,
): SafeNames {
  const wireOf = new Map<string, string>();
  const ownOf = new Map<string, string>();
  return {
    to(own) {
      const known = wireOf.get(own);
      if (known !== undefined) return known;
      const wanted = form(own, wireOf.size + 1);
      let wire = wanted;
      for (let n = 2; ownOf.has(wire); n += 1) {
        const end = `_${n}`;
        wire = wanted.slice(0, longest - end.length) + end;
      }
      wireOf.set(own, wire);
      ownOf.set(wire, own);
      return wire;
    },
    from: (wire) => ownOf.get(wire) ?? wire,
    isTaken: (wire) => ownOf.has(wire),
  };
}
