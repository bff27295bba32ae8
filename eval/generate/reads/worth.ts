import { csvOf, oneFile, type Row, rowsOf, total } from '../data.ts';
import type { Generator } from '../generator.ts';
import { inLanguage, withBug } from '../input/talks.ts';
import { expectThat, hasFigure } from '../look.ts';
import { BOTH, code, target } from '../programs-made.ts';
import { followsJudge } from './follows.ts';

/** Adds up what the rows of a CSV file are worth. */
export const worth: Generator = {
  name: 'worth',
  kind: 'reads',
  languages: BOTH,
  kept: false,
  make: (random) => {
    const file = random.pick(['stock.csv', 'inventory.csv', 'goods.csv', 'data/items.csv']);
    const heads = random.pick([
      ['item', 'town', 'quantity', 'price'],
      ['name', 'place', 'amount', 'cost'],
    ] as const);
    const rows = rowsOf(random, random.int(6, 10));
    const given = oneFile(file, csvOf(rows, heads));
    const made = target(random, random.pick(['worth', 'stock_value', 'total']), given);
    const goal = random.pick([
      `Write ${made.inWords} that reads ${file} and prints what everything in it is worth together: ${heads[2]} times ${heads[3]} of every row, added up.`,
      `${file} lists what we have. I need ${made.inWords} printing the total value (the sum of ${heads[2]} * ${heads[3]} over all lines).`,
      `Make ${made.inWords}: sum of ${heads[2]} x ${heads[3]} over ${file}, print that number only`,
    ]);
    const others = rowsOf(random, 4);
    const variant = (list: readonly Row[]) => {
      const figure = total(list.map(({ count, price }) => count * price));
      return {
        files: oneFile(file, csvOf(list, heads)),
        check: (text: string) => expectThat(hasFigure(text, figure), `${figure} is not printed`),
      };
    };
    const good = inLanguage(
      made,
      code([
        'import csv',
        `with open("${file}", newline="") as file:`,
        '    rows = list(csv.DictReader(file))',
        `print(sum(int(row["${heads[2]}"]) * int(row["${heads[3]}"]) for row in rows))`,
      ]),
      code([
        `const text = require("fs").readFileSync("${file}", "utf8");`,
        'const rows = text.trim().split("\\n").slice(1).map((line) => line.split(","));',
        'console.log(rows.reduce((sum, row) => sum + row[2] * row[3], 0));',
      ]),
    );
    const figure = total(rows.map(({ count, price }) => count * price));
    const isPython = made.language === 'python';
    return {
      goal,
      given,
      judge: followsJudge(made, [variant(rows), variant(others)]),
      good: { files: good },
      bad: [
        { files: inLanguage(made, `print(${figure})\n`, `console.log(${figure});\n`) },
        {
          files: isPython
            ? withBug(good, ` * int(row["${heads[3]}"])`, '')
            : withBug(good, ' * row[3]', ' * 1'),
        },
      ],
    };
  },
};
