/** One piece of work whose size can be chosen, and what such work is made of. */
export type Case = readonly [name: string, n: number, work: (n: number) => unknown];

export const K = 1024;

export const times = (text: string, n: number): string =>
  text.repeat(Math.ceil(n / text.length)).slice(0, n);

/** Always the same, and without a period. */
export const random = (n: number): string => {
  let x = 7;
  let s = '';
  while (s.length < n) {
    x = (x * 1103515245 + 12345) % 2147483648;
    s += x.toString(36);
  }
  return s.slice(0, n);
};

export const names = (n: number) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`a${i}`, i]));
