import type { Generator } from '../generator.ts';
import { BOTH, target } from '../programs-made.ts';
import { printedTask } from './printed.ts';

/** A figure of characters. */
export const stairs: Generator = {
  name: 'stairs',
  kind: 'script',
  languages: BOTH,
  kept: true,
  make: (random) => {
    const sign = random.pick(['#', '*', '+', '@', 'o', '=']);
    const height = random.int(3, 7);
    const step = random.int(1, 3);
    const isPeak = random.int(0, 1) === 1;
    const up = Array.from({ length: height }, (_, at) => sign.repeat((at + 1) * step));
    const lines = isPeak ? [...up, ...up.slice(0, -1).reverse()] : up;
    const wrong = isPeak ? [...up, ...[...up].reverse()] : [...up].reverse();
    const made = target(random, random.pick(['stairs', 'pattern', 'figure']));
    const growth = `The first line has ${step} "${sign}", every further one ${step} more`;
    const goal = isPeak
      ? random.pick([
          `Write ${made.inWords} that draws a mountain lying on its side. ${growth}, until there are ${height * step}; then it goes down again, ${step} less a line, to ${step}. ${lines.length} lines in all.`,
          `${made.inWords} should print ${lines.length} lines made of ${sign} only: widths ${lines.map((line) => line.length).join(', ')}.`,
        ])
      : random.pick([
          `Write ${made.inWords} that prints stairs of ${height} lines. ${growth}.`,
          `Can you make ${made.inWords} which prints this?\n${lines.join('\n')}`,
          `${made.inWords}, ${height} lines out of the character ${sign}: ${step} in the first, then always ${step} more than in the line above`,
        ]);
    return printedTask(goal, made, lines, [wrong, lines.slice(0, -1)]);
  },
};
