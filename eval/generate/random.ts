/** A seeded source of choices: the same seed gives the same goal on every machine. Pure. */

export interface Random {
  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** `count` different ones, in any order. */
  sample<T>(list: readonly T[], count: number): T[];
}

export function seededRandom(seed: string): Random {
  let state = hash(seed);
  /** mulberry32, from 0 up to but without 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const sample = <T>(list: readonly T[], count: number): T[] => {
    if (count > list.length) throw new RangeError(`${count} of ${list.length} cannot be drawn`);
    const left = [...list];
    return Array.from({ length: count }, () => left.splice(int(0, left.length - 1), 1)).flat();
  };
  const pick = <T>(list: readonly T[]): T => sample(list, 1)[0] as T;
  return { int, pick, sample };
}

/** FNV-1a over the characters, then stirred so that neighbours have nothing in common. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
