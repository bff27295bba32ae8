import { csvOf, rowsOf } from '../data.ts';
import type { Generator } from '../generator.ts';
import { answers } from './answers.ts';

/** Which row of a table has the largest figure. */
export const most: Generator = {
  name: 'most',
  kind: 'question',
  languages: ['text'],
  kept: false,
  make: (random) => {
    const file = random.pick(['stock.csv', 'goods.csv', 'export.csv']);
    const heads = ['article', 'town', 'pieces', 'price'];
    const drawn = rowsOf(random, random.int(6, 12));
    const at = random.int(1, drawn.length - 1);
    const rows = drawn.map((row, index) =>
      index === at ? { ...row, count: 60 + random.int(1, 30) } : row,
    );
    const winner = rows[at] as (typeof rows)[number];
    const dearest = [...drawn].sort((one, other) => other.price - one.price)[0];
    const others = rows.filter((row) => row !== winner).map(({ name }) => name);
    const goal = random.pick([
      `Which article in ${file} do we have the most pieces of, and how many?`,
      `Look into ${file}: what is there most of (pieces)? Tell me its name and the number.`,
      `${file} - which one has the highest number of pieces? How many are that?`,
    ]);
    const wrong = dearest?.name === winner.name ? others[0] : dearest?.name;
    return {
      goal,
      given: { [file]: csvOf(rows, heads) },
      judge: answers({ words: [winner.name], figures: [winner.count], not: others }),
      good: { answer: `It is the ${winner.name}: ${winner.count} pieces.` },
      bad: [
        { answer: `The ${wrong}, with ${winner.count} pieces.` },
        { answer: `The ${winner.name}, with ${winner.count + 1} pieces.` },
        { answer: `I have looked into ${file} and found the answer.` },
      ],
    };
  },
};
