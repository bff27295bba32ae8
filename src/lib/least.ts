/** The least whole number from 0 to `most` that is enough, where every greater one is too; `most` if none is. */
export function leastOf(most: number, isEnough: (number: number) => boolean): number {
  let [low, high] = [0, most];
  if (isEnough(0)) return 0;
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
