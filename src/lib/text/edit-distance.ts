/**
 * The number of edits (insert, delete, replace, swap of neighbours) between two words. With `swap: 2` a swap
 * costs as much as two replacements.
 */
export function editDistance(from: string, to: string, swap: 1 | 2 = 1): number {
  let twoAgo: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      let best = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (isSwap) best = Math.min(best, (twoAgo[column - 2] ?? 0) + swap);
      current.push(best);
    }
    twoAgo = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}

/** The word closest to one with a slight error; `null`: none is close. */
export function nearestWord(word: string, known: readonly string[]): string | null {
  const begin = word.slice(0, LONGEST_WORD).toLowerCase();
  const far = (one: string): number => editDistance(one.toLowerCase(), begin);
  const [near] = known.map((one) => ({ one, far: far(one) })).sort((a, b) => a.far - b.far);
  const most = Math.max(2, Math.floor(begin.length / 3));
  return near !== undefined && near.far <= most ? near.one : null;
}

const LONGEST_WORD = 50;
