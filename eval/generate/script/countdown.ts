import type { Generator } from '../generator.ts';
import { BOTH, target } from '../programs-made.ts';
import { EXCLAMATIONS } from '../words.ts';
import { printedTask } from './printed.ts';

/** Counts down in steps, with a word for some of the numbers. */
export const countdown: Generator = {
  name: 'countdown',
  kind: 'script',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const [word, last] = random.sample(EXCLAMATIONS, 2) as [string, string];
    const step = random.int(2, 5);
    const end = random.int(1, 6);
    const start = end + step * random.int(7, 12);
    // One that divides some of the numbers and not all.
    const divisor = random.pick(
      [2, 3, 4].filter((one) => one % step !== 0 && step % one !== 0 && (one !== 4 || step !== 2)),
    );
    const numbers = (to: number): number[] =>
      Array.from({ length: Math.floor((start - to) / step) + 1 }, (_, at) => start - at * step);
    const lines = (to: number): string[] =>
      numbers(to).map((number) => (number % divisor === 0 ? `${number} ${word}` : String(number)));
    const made = target(random, random.pick(['countdown', 'launch', 'steps']));
    const goal = random.pick([
      `Write ${made.inWords} that counts down from ${start} to ${end} in steps of ${step}, one number a line. Behind a number that can be divided by ${divisor} comes a space and the word ${word}. The last line is just ${last}.`,
      `Make ${made.inWords} printing ${start}, ${start - step}, ${start - 2 * step} and so on until ${end}, each on its own line; numbers divisible by ${divisor} are followed by " ${word}". When it is done it prints "${last}".`,
      `countdown, please: ${made.inWords}, from ${start} down to ${end} (${end} included), step ${step}. Add " ${word}" to every number that ${divisor} divides. Finish with the line "${last}".`,
    ]);
    return printedTask(
      goal,
      made,
      [...lines(end), last],
      [
        [...lines(end + step), last],
        [...numbers(end).map(String), last],
      ],
    );
  },
};
