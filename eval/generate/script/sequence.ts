import type { Generator } from '../generator.ts';
import { BOTH, target } from '../programs-made.ts';
import { printedTask } from './printed.ts';

/** Terms of a rule and their sum. */
export const sequence: Generator = {
  name: 'sequence',
  kind: 'script',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const start = random.int(4, 12);
    const factor = random.int(2, 3);
    const less = random.int(1, 3);
    const count = random.int(5, 9);
    const terms = Array.from({ length: count }).reduce<number[]>(
      (seen) => [...seen, seen.length === 0 ? start : (seen.at(-1) ?? 0) * factor - less],
      [],
    );
    const sum = terms.reduce((one, other) => one + other, 0);
    const word = random.pick(['sum', 'total', 'together']);
    const made = target(random, random.pick(['sequence', 'series', 'terms']));
    const rule = `each next one is the one before times ${factor}, minus ${less}`;
    const goal = random.pick([
      `Write ${made.inWords} that prints the first ${count} numbers of a sequence, one a line. It begins with ${start}; ${rule}. After them comes a line "${word}: " with all of them added up.`,
      `Sequence: starts at ${start}, ${rule} (so ${start}, ${terms[1]}, ${terms[2]}, ...). I want ${made.inWords} which prints ${count} terms, every one on a line of its own, and at the end the line ${word}: SUM, where SUM is their sum.`,
      `${made.inWords} that prints ${count} lines with numbers and a last line "${word}: N" with N being what they add up to. First number ${start}, ${rule}.`,
    ]);
    const lines = [...terms.map(String), `${word}: ${sum}`];
    const shorter = [...terms.slice(0, -1).map(String), `${word}: ${sum - (terms.at(-1) ?? 0)}`];
    const wrong = [...terms.map(String), `${word}: ${sum - start}`];
    return printedTask(goal, made, lines, [shorter, wrong]);
  },
};
