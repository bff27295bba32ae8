import { shiftsOf, sums } from '../data.ts';
import type { Generator } from '../generator.ts';
import { code } from '../programs-made.ts';
import { answers } from './answers.ts';

/** How much a person did, which has to be added up. */
export const tally: Generator = {
  name: 'tally',
  kind: 'question',
  languages: ['text'],
  kept: true,
  make: (random) => {
    const file = random.pick(['hours.txt', 'shifts.txt', 'week.txt']);
    const shifts = shiftsOf(random, random.int(3, 5));
    const [person = '', hours = 0] = random.pick(
      sums(
        shifts,
        (shift) => shift.person,
        (shift) => shift.hours,
        // Hours and days are told apart by their figures.
      ).filter(([name, sum]) => shifts.filter((one) => one.person === name).length !== sum),
    );
    const own = shifts.filter((shift) => shift.person === person);
    const goal = random.pick([
      `How many hours did ${person} work, according to ${file}? And on how many days?`,
      `${file}: number of hours of ${person} in all, and the number of days ${person} was there?`,
      `I need the sum of the hours of ${person} and on how many days these were (see ${file}).`,
    ]);
    const days = own.length;
    const wrong = hours + 100;
    return {
      goal,
      given: {
        [file]: code(shifts.map((shift) => `${shift.day} ${shift.person} ${shift.hours}h`)),
      },
      judge: async (evidence) =>
        answers({ words: [], figures: [hours, days] })({
          ...evidence,
          // "on three days" says it too.
          answer: withDigits(evidence.answer),
        }),
      good: { answer: `${person} worked ${hours} hours on ${days} days.` },
      bad: [
        { answer: `${person} worked ${wrong} hours on ${days} days.` },
        { answer: `${person} worked ${hours} hours on ${days + 7} days.` },
      ],
    };
  },
};

const SMALL = ['zero', 'one', 'two', 'three', 'four', 'five'];

const withDigits = (text: string | null): string | null =>
  text?.replace(/\b[a-z]+\b/gi, (word) => {
    const at = SMALL.indexOf(word.toLowerCase());
    return at === -1 ? word : String(at);
  }) ?? null;
