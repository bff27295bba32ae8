/**
 * The places of lines that were added to a text, also where the same lines stood elsewhere before: a copied
 * function is new. Lines that stand once in both texts, in the same order, keep their places. The parts
 * between two of them are compared in the same way.
 *
 * @returns numbers from 0
 */
export function addedLines(before: readonly string[], now: readonly string[]): readonly number[] {
  const added: number[] = [];
  // Without recursion: a text may have as many pieces as lines.
  const pieces: Piece[] = [{ old: [0, before.length], at: [0, now.length] }];
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) {
    const { old, at } = trimmed(piece, before, now);
    const anchors = anchorsIn(before.slice(...old), now.slice(...at));
    if (anchors.length === 0) {
      for (let line = at[0]; line < at[1]; line += 1) added.push(line);
      continue;
    }
    let from = { old: old[0], at: at[0] };
    for (const anchor of [...anchors, { old: old[1] - old[0], at: at[1] - at[0] }]) {
      const to = { old: old[0] + anchor.old, at: at[0] + anchor.at };
      pieces.push({ old: [from.old, to.old], at: [from.at, to.at] });
      from = { old: to.old + 1, at: to.at + 1 };
    }
  }
  return added.sort((one, other) => one - other);
}

/** A range of lines in each text; the second number is not part of it. */
interface Piece {
  readonly old: readonly [number, number];
  readonly at: readonly [number, number];
}

/** The piece without the equal lines at its beginning and at its end. */
function trimmed({ old, at }: Piece, before: readonly string[], now: readonly string[]): Piece {
  let [[oldFrom, oldTo], [from, to]] = [old, at];
  for (; oldFrom < oldTo && from < to && before[oldFrom] === now[from]; oldFrom += 1) from += 1;
  for (; oldFrom < oldTo && from < to && before[oldTo - 1] === now[to - 1]; oldTo -= 1) to -= 1;
  return { old: [oldFrom, oldTo], at: [from, to] };
}

/** Lines that stand once in both, as far as they come in the same order. */
function anchorsIn(before: readonly string[], now: readonly string[]) {
  const places = placesOf(before);
  const placesNow = placesOf(now);
  const anchors: { readonly old: number; readonly at: number }[] = [];
  for (const [line, at] of placesNow) {
    const old = places.get(line) ?? -1;
    if (at >= 0 && old > (anchors.at(-1)?.old ?? -1)) anchors.push({ old, at });
  }
  return anchors;
}

/** The place of each line; -1: it has several. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at);
  return places;
}
