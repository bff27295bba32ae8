import { missed, type Verdict } from '../../goal.ts';
import { oneFile, type Shift, shiftsOf, sums } from '../data.ts';
import type { Generator } from '../generator.ts';
import { expectThat, hasWord, linesOf, namesWithFigures, read } from '../look.ts';
import { code } from '../programs-made.ts';

const hoursOf = (shifts: readonly Shift[]): [string, number][] =>
  sums(
    shifts,
    ({ person }) => person,
    ({ hours }) => hours,
  ).sort(([, one], [, other]) => other - one);

function judgeHours(text: string | null, expected: readonly [string, number][]): Verdict {
  if (text === null) return missed('there is no report');
  const seen = namesWithFigures(text, expected);
  if (!seen.reached) return seen;
  const lines = linesOf(text);
  const places = expected.map(([name]) => lines.findIndex((line) => hasWord(line, name)));
  // Equal hours may stand in any order.
  const isOrdered = places.every(
    (place, at) =>
      at === 0 || place > (places[at - 1] ?? 0) || expected[at]?.[1] === expected[at - 1]?.[1],
  );
  return expectThat(isOrdered, 'the order is wrong');
}

/** Adds up hours in a text file and orders them. */
export const hours: Generator = {
  name: 'hours',
  kind: 'report',
  languages: ['text'],
  kept: false,
  make: (random) => {
    const file = random.pick(['timesheet.txt', 'shifts.txt', 'hours.txt']);
    const output = random.pick(['totals.txt', 'report.md', 'hours_by_person.txt']);
    const shifts = shiftsOf(random, random.int(4, 5));
    const expected = hoursOf(shifts);
    const goal = random.pick([
      `Add up the hours of everybody in ${file} and write them to ${output}, one line for each person, the one with the most hours first.`,
      `${output} should say who worked how many hours this week (${file}), sorted from most to least.`,
      `Make ${output} from ${file}: "NAME: HOURS" per person, highest first`,
    ]);
    const text = (list: readonly [string, number][]): string =>
      code(list.map(([name, sum]) => `${name}: ${sum}`));
    const [first, ...rest] = expected as [[string, number], ...[string, number][]];
    return {
      goal,
      given: oneFile(
        file,
        code(shifts.map(({ person, day, hours: sum }) => `${day} ${person} ${sum}`)),
      ),
      judge: async (evidence) => judgeHours(read(evidence, output), expected),
      good: { files: { [output]: text(expected) } },
      bad: [
        { files: { [output]: text([...rest, [first[0], first[1] + 1]]) } },
        { files: { [output]: text(rest) } },
        { files: { [output]: text([[first[0], first[1] + 0.5], ...rest]) } },
      ],
    };
  },
};
