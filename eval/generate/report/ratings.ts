import { missed, reached, type Verdict } from '../../goal.ts';
import { oneFile, total } from '../data.ts';
import type { Generator } from '../generator.ts';
import { figuresIn, hasFigure, hasWord, linesOf, read } from '../look.ts';
import { code } from '../programs-made.ts';
import { GOODS, PEOPLE } from '../words.ts';

interface Rated {
  readonly thing: string;
  readonly ratings: readonly number[];
}

const meanOf = ({ ratings }: Rated): number => total(ratings) / ratings.length;

function judgeRatings(text: string | null, rated: readonly Rated[]): Verdict {
  if (text === null) return missed('there is no report');
  for (const one of rated) {
    const line = linesOf(text).find((each) => hasWord(each, one.thing));
    if (line === undefined) return missed(`${one.thing} is missing`);
    if (!hasFigure(line, one.ratings.length)) {
      return missed(`${one.thing} has another number of answers: ${line}`);
    }
    // Rounded to one digit or more.
    const isRight = figuresIn(line).some((figure) => Math.abs(figure - meanOf(one)) <= 0.0501);
    if (!isRight) return missed(`${one.thing} has another average: ${line}`);
  }
  return reached('every figure is right');
}

/** Answers of a survey, one object each, by what they are about. */
export const ratings: Generator = {
  name: 'ratings',
  kind: 'report',
  languages: ['text'],
  kept: true,
  make: (random) => {
    const file = random.pick(['survey.json', 'answers.json', 'feedback.json']);
    const output = random.pick(['ratings.md', 'survey.txt', 'result.md']);
    const key = random.pick(['product', 'about', 'thing']);
    const rated = random.sample(GOODS, 3).map((thing, at) => ({
      thing,
      ratings: Array.from({ length: [2, 4, 5][at] ?? 2 }, () => random.int(1, 10)),
    }));
    const rows = rated.flatMap(({ thing, ratings: list }) =>
      list.map((rating) => ({ [key]: thing, by: random.pick(PEOPLE), rating })),
    );
    const goal = random.pick([
      `${file} has the answers of a survey. Write ${output} with one line for each ${key}: how many ratings it got and their average with one decimal.`,
      `Summarise ${file} in ${output}: per ${key} the number of answers and the average rating (one digit behind the point).`,
    ]);
    const text = (figures: (one: Rated) => string): string =>
      code(['# Survey', '', ...rated.map((one) => `- ${one.thing}: ${figures(one)}`)]);
    const line = (one: Rated, more: number): string =>
      `${one.ratings.length} answers, ${(meanOf(one) + more).toFixed(1)} on average`;
    return {
      goal,
      given: oneFile(file, `${JSON.stringify(random.sample(rows, rows.length), null, 1)}\n`),
      judge: async (evidence) => judgeRatings(read(evidence, output), rated),
      good: { files: { [output]: text((one) => line(one, 0)) } },
      bad: [
        { files: { [output]: text((one) => line(one, 20)) } },
        { files: { [output]: text((one) => `17 answers, ${meanOf(one).toFixed(1)}`) } },
        { files: { [output]: text(() => 'liked by all') } },
      ],
    };
  },
};
