import type { Generator } from '../generator.ts';
import { BOTH, target } from '../programs-made.ts';
import { GOODS } from '../words.ts';
import { printedTask } from './printed.ts';

/** A table of prices. */
export const table: Generator = {
  name: 'table',
  kind: 'script',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const good = random.pick(GOODS);
    const price = random.int(3, 29);
    const from = random.int(1, 4);
    const to = from + random.int(4, 11);
    const made = target(random, random.pick(['prices', `${good}_prices`, 'table']));
    const sign = random.pick([':', ' =', ' ->']);
    const line = (count: number): string => `${count} x ${good}${sign} ${count * price}`;
    const rows = (first: number, last: number): string[] =>
      Array.from({ length: last - first + 1 }, (_, at) => line(first + at));
    const goal = random.pick([
      `Write ${made.inWords} that prints what ${from} to ${to} ${good}s cost when one costs ${price}, one line each, like this: "${line(from)}". Nothing else is printed.`,
      `I need ${made.inWords}. It prints a price table, a line for every number of ${good}s from ${from} up to and including ${to}. One ${good} is ${price}. The first line is ${line(from)} and the last one ${line(to)}`,
      `${made.inWords}: for each n from ${from} to ${to} print "n x ${good}${sign} TOTAL" where TOTAL is n times ${price}. No heading.`,
    ]);
    return printedTask(goal, made, rows(from, to), [rows(from, to - 1), rows(0, to)]);
  },
};
